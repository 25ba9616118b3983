// Copies the files that the built program needs into a folder, for a container image or a package.
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import { licenceTexts } from './licences.mjs'
import { root } from './setup.mjs'

const [folder] = process.argv.slice(2)
if (!folder) throw new Error('usage: node scripts/image.mjs FOLDER')
const target = resolve(folder)

const require = createRequire(join(root, 'packages/server/package.json'))
const Database = require('better-sqlite3')
new Database(':memory:').close()
// The package has binaries for many systems; this system loads one.
const addon = Object.keys(require.cache).find((file) => file.endsWith('.node'))

rmSync(target, { recursive: true, force: true })
for (const path of [
  'LICENSE',
  'packages/cli/package.json',
  'packages/cli/bin',
  'packages/cli/dist/saldo.js',
  'packages/cli/dist/export.js',
  'packages/cli/dist/import.js',
  'packages/cli/dist/smtp.js',
  'packages/cli/dist/service.js',
  'packages/cli/dist/user.js',
  'packages/cli/dist/mcp.js',
  'packages/cli/dist/webauthn.js',
  'packages/cli/dist/openid-client.js',
  'packages/cli/dist/holidays.js',
  'packages/cli/dist/swagger-ui',
  'packages/web/dist',
]) {
  copy(root, path, target)
}
writeFileSync(join(target, 'THIRD-PARTY.txt'), licenceTexts())
const sqlite = dirname(require.resolve('better-sqlite3/package.json'))
for (const part of ['package.json', 'LICENSE', 'lib', relative(sqlite, addon)]) {
  copy(sqlite, part, join(target, 'node_modules/better-sqlite3'))
}

function copy(from, path, to) {
  mkdirSync(dirname(join(to, path)), { recursive: true })
  cpSync(join(from, path), join(to, path), { recursive: true })
}
