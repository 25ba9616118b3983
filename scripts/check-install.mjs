// Loads the binaries among the dependencies: of what building and serving need, or, with the argument `all`, of the
// tools too. Fails if one is missing or damaged.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { root } from './install.mjs'

const required = (folder) => createRequire(join(root, 'packages', folder, 'package.json'))

await import('rolldown')
const Database = required('server')('better-sqlite3')
new Database(':memory:').close()
await import(required('web').resolve('vite'))

const tools = process.argv[2] === 'all' ? ['typescript:tsc', '@biomejs/biome:biome', 'oxlint:oxlint'] : []
for (const tool of tools) {
  const [name, command] = tool.split(':')
  const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`)
  const { bin } = JSON.parse(readFileSync(manifest, 'utf8'))
  const program = join(dirname(manifest), typeof bin === 'string' ? bin : bin[command])
  execFileSync(process.execPath, [program, '--version'], { stdio: 'pipe' })
}
