// `npm run soak`: builds what is stale and loads it for an hour.
import { build, install, node, run } from './setup.mjs'

install()
await build()
run(node, ['test/soak/soak.ts', ...process.argv.slice(2)])
