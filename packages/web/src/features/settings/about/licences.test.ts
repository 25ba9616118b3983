import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { libraries } from './licences.ts'

const root = join(import.meta.dirname, '../../../../../..')
const manifest = (folder: string) =>
  JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as {
    dependencies?: Record<string, string>
    license: string
  }

/** They build the app and are not part of it. */
const builders = ['@vitejs/plugin-react', 'vite']

test('the list has every bundled library with its licence', () => {
  const used = ['web', 'client', 'core'].flatMap((name) => Object.keys(manifest(`packages/${name}`).dependencies ?? {}))
  const others = [...new Set(used)].filter((name) => !name.startsWith('@saldo/') && !builders.includes(name)).sort()
  expect(libraries).toEqual(others.map((name) => ({ name, licence: manifest(`node_modules/${name}`).license })))
})
