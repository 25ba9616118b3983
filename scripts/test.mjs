// `npm test`: installs, builds, checks and tests. `--quick` tests pure functions, the service and one flow in a
// browser; `--install` installs what is missing in the system without asking; other arguments go to Vitest.
import './node-version.mjs'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { build, environment, fail, install, node, root, run, tool } from './setup.mjs'

const own = ['--quick', '--install']
const args = process.argv.slice(2)
const vitest = args.filter((arg) => !own.includes(arg))
const isQuick = args.includes('--quick')
const isWhole = vitest.length === 0 && !isQuick

install()
const checks = isWhole ? startChecks() : { ended: Promise.resolve([0]), output: () => '' }
// Beside the checks.
await build()
run(node, ['test/provide.ts', ...args.filter((arg) => own.includes(arg))])
const [exitCode] = await checks.ended
if (exitCode !== 0) {
  // They ended long ago, and what came since has hidden it.
  process.stderr.write(checks.output())
  fail('the checks failed, as above; no test has run')
}
const [command, program] = tool('vitest')
run(command, [program, 'run', ...vitest], { env: { ...environment(), ...(isQuick && { SALDO_TEST_TIER: 'quick' }) } })

/** Starts `npm run check`. */
function startChecks() {
  const options = { cwd: root, env: environment(), stdio: ['ignore', 'pipe', 'pipe'] }
  const running = spawn(process.execPath, ['scripts/check.mjs'], options)
  let output = ''
  for (const stream of [running.stdout, running.stderr])
    stream.setEncoding('utf8').on('data', (text) => (output += text))
  return { ended: once(running, 'close'), output: () => output }
}
