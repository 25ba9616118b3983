// `npm run check`: format, lint, types, promises, dead exports, language, the client's size. It runs no test.
import { spawn } from 'node:child_process'
import { environment, install, node, root, tool } from './setup.mjs'

install()
const results = await Promise.all([
  runChecks([...tool('typescript'), '-b'], [...tool('oxlint'), '--type-aware', '--deny-warnings']),
  runChecks([...tool('@biomejs/biome'), 'ci', '--error-on-warnings', '.']),
  runChecks(tool('knip')),
  runChecks([node, 'scripts/check-language.mjs'], [node, 'scripts/size.mjs']),
])
if (!results.every(Boolean)) process.exit(1)

/** Runs commands one after another up to the first that fails. Resolves to true if none does. */
async function runChecks(...commands) {
  for (const [command, ...args] of commands) {
    if (!(await succeeds(command, args))) return false
  }
  return true
}

/** Prints the command's output when it ends, since other checks run beside it. */
function succeeds(command, args) {
  const check = spawn(command, args, { cwd: root, env: environment(), stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [check.stdout, check.stderr]) stream.on('data', (chunk) => (output += chunk))
  return new Promise((resolve, reject) => {
    check.on('error', reject)
    check.on('close', (code) => {
      process.stderr.write(output)
      resolve(code === 0)
    })
  })
}
