// `npm run bench`: builds what is stale and measures it.
import { build, install, node, run } from './setup.mjs'

install()
await build()
run(node, ['test/provide.ts'])
run(node, ['bench/run.ts', ...process.argv.slice(2)])
