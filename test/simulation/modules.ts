import { existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')

/** Gives a copy of the program its modules: packages of the program are those of the copy, all others are only linked. */
export function linkModules(folder: string): void {
  link(folder, 'node_modules', '@saldo', '.cache')
  mkdirSync(join(folder, 'node_modules/@saldo'))
  for (const name of readdirSync(join(folder, 'packages'))) {
    link(folder, `packages/${name}/node_modules`)
    symlinkSync(join('../../packages', name), join(folder, 'node_modules/@saldo', name))
  }
}

function link(folder: string, modules: string, ...except: readonly string[]): void {
  if (!existsSync(join(root, modules))) return
  mkdirSync(join(folder, modules), { recursive: true })
  for (const name of readdirSync(join(root, modules)).filter((name) => !except.includes(name))) {
    symlinkSync(join(root, modules, name), join(folder, modules, name))
  }
}
