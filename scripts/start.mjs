// `npm start`: installs what is missing, builds what is stale, serves.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { build, environment, install, node, root } from './setup.mjs'

install()
build()
const service = spawn(node, [join(root, 'packages/cli/dist/saldo.js'), 'serve'], {
  stdio: 'inherit',
  env: environment(),
})
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => service.kill(signal))
service.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
