import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
// Builds the app from the sources, unless it is fresh.
const { build } = await import(join(root, 'scripts/setup.mjs'))
await build()

/** A tenth above the size when this was written. */
const MAX_BYTES = 810_000

test('the app begins with its common scripts alone; holidays, charts and importers are loaded when used', () => {
  const folder = join(root, 'packages/web/dist')
  const page = readFileSync(join(folder, 'index.html'), 'utf8')
  const scripts = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+\.js)"/g)].map(([, path]) => path as string)
  const bytes = scripts.map((path) => statSync(join(folder, path)).size)
  expect(scripts.length).toBeGreaterThan(1)
  expect(bytes.reduce((sum, each) => sum + each, 0)).toBeLessThan(MAX_BYTES)
})
