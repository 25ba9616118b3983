// `npm run screenshots`: builds what is stale and takes pictures of every view.
import { build, install, node, run } from './setup.mjs'

install()
await build()
run(node, ['test/e2e/screenshots.ts'])
