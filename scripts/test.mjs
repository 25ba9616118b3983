// `npm test`: installs, builds, checks and tests. `--quick` tests pure functions, the service and one flow in a
// browser; other arguments go to Vitest.
import { build, install, node, run } from './setup.mjs'

const args = process.argv.slice(2)
const isQuick = args.includes('--quick')
const vitest = args.filter((arg) => arg !== '--quick')
if (isQuick) vitest.push(...['pure', 'service', 'look'].map((project) => `--project=${project}`))

install()
build()
run(node, ['test/provide.ts'])
if (args.length === 0) run(process.execPath, ['scripts/check.mjs'])
run('vitest', ['run', ...vitest])
