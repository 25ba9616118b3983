// `npm start`: installs what building and serving need, builds what is stale, serves.
import './node-version.mjs'
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { build, environment, fail, installToServe, node, root } from './setup.mjs'

/** Interval between checks that npm's shell is still running, in milliseconds. */
const SHELL_EVERY_MS = 500

const shell = process.env.npm_lifecycle_event === 'start' ? process.ppid : undefined
installToServe()
await build()
const service = spawn(node, [join(root, 'packages/cli/dist/saldo.js'), 'serve'], {
  stdio: 'inherit',
  env: environment(),
})
let isStopping = false
for (const signal of ['SIGTERM', 'SIGINT']) {
  process.on(signal, () => {
    isStopping = true
    service.kill(signal)
  })
}
service.on('error', ({ code }) => fail(`the pinned Node does not start: ${code}`))
service.on('exit', (code, signal) => {
  if (signal && !isStopping) fail(`the service was ended by ${signal}`)
  process.exit(code ?? (signal ? 1 : 0))
})

// A signal to npm ends its shell, which passes nothing on: then this process has another parent.
const watch = setInterval(() => {
  if (shell === undefined || process.ppid === shell) return
  clearInterval(watch)
  isStopping = true
  service.kill('SIGTERM')
}, SHELL_EVERY_MS)
