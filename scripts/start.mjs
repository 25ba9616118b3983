// `npm start`: installs what building and serving need, builds what is stale, serves.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { build, environment, installToServe, node, root } from './setup.mjs'

/** Interval between checks that npm's shell is still running, in milliseconds. */
const SHELL_EVERY_MS = 500

const shell = process.env.npm_lifecycle_event === 'start' ? process.ppid : undefined
installToServe()
await build()
const service = spawn(node, [join(root, 'packages/cli/dist/saldo.js'), 'serve'], {
  stdio: 'inherit',
  env: environment(),
})
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => service.kill(signal))
service.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))

// A signal to npm ends its shell, which passes nothing on: then this process has another parent.
const watch = setInterval(() => {
  if (shell === undefined || process.ppid === shell) return
  clearInterval(watch)
  service.kill('SIGTERM')
}, SHELL_EVERY_MS)
