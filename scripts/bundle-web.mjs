// Bundles the app that the service serves.
import { renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'
import { root } from './setup.mjs'

// Tests need the production build too.
process.env.NODE_ENV = 'production'
const folder = join(root, 'packages/web')
const unfinished = join(root, 'node_modules/.cache', `saldo-web-${process.pid}`)
await build({ root: folder, logLevel: 'warn', build: { outDir: unfinished, emptyOutDir: true } })
// Replaces the folder as a whole, because another process may be reading it.
const old = `${unfinished}-old`
try {
  renameSync(join(folder, 'dist'), old)
} catch (error) {
  if (error.code !== 'ENOENT') throw error
}
renameSync(unfinished, join(folder, 'dist'))
rmSync(old, { recursive: true, force: true })
