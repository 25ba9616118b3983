// `npm test`: checks, then the whole suite, from nothing. Arguments go to Vitest.
import { build, install, node, run } from './setup.mjs'

const wanted = process.argv.slice(2)
install()
build()
run(node, ['test/provide.ts'])
if (wanted.length === 0) run(process.execPath, ['scripts/check.mjs'])
run('vitest', ['run', ...wanted])
