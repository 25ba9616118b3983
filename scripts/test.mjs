// `npm test`: installs, builds, checks and tests. `--quick` tests pure functions, the service and one flow in a
// browser; other arguments go to Vitest.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { build, environment, install, node, root, run } from './setup.mjs'

const args = process.argv.slice(2)
const isQuick = args.includes('--quick')
const vitest = args.filter((arg) => arg !== '--quick')
if (isQuick) vitest.push(...['pure', 'service', 'look'].map((project) => `--project=${project}`))

install()
const checks = args.length === 0 ? startChecks() : [0]
// Beside the checks.
await build()
run(node, ['test/provide.ts'])
const [exitCode] = await checks
if (exitCode !== 0) process.exit(1)
run('vitest', ['run', ...vitest])

/** Starts `npm run check`. Resolves to its exit code, in an array, when it ends. */
function startChecks() {
  const options = { cwd: root, env: environment(), stdio: ['ignore', 2, 2] }
  return once(spawn(process.execPath, ['scripts/check.mjs'], options), 'exit')
}
