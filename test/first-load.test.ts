import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
// Builds the app from the sources, unless it is fresh.
const { build } = await import(join(root, 'scripts/setup.mjs'))
await build()

const folder = join(root, 'packages/web/dist/assets')
const scripts = readdirSync(folder).filter((name) => name.endsWith('.js'))

/**
 * The kilobytes of script, compressed by Brotli, that a first view needs; `bench` counts them in a browser, where 150
 * and 230 are allowed. Whoever makes a view larger raises its record, with a reason in the commit.
 */
const records = [
  { view: 'signed out', needs: ['index', 'sign-in', 'first'], mostKb: 142.75 },
  { view: 'Today', needs: ['index', 'signed-in', 'today', 'first'], mostKb: 227 },
]

/** Returns a script with all that it imports at once. */
function closureOf(name: string, found = new Set<string>()): Set<string> {
  if (found.has(name)) return found
  found.add(name)
  const text = readFileSync(join(folder, name), 'utf8')
  for (const [, other] of text.matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/g)) closureOf(other as string, found)
  return found
}

test.each(records)('the first view of who is $view needs at most $mostKb kB of script', ({ needs, mostKb }) => {
  const found = new Set<string>()
  for (const part of needs) {
    // Of several languages, the larger one.
    const [largest] = scripts
      .filter((name) => name.startsWith(`${part}-`) && !name.startsWith(`${part}-in-`))
      .toSorted((a, b) => statSync(join(folder, b)).size - statSync(join(folder, a)).size)
    expect(largest, part).toBeDefined()
    if (largest) closureOf(largest, found)
  }
  const bytes = [...found].map((name) => statSync(join(folder, `${name}.br`), { throwIfNoEntry: false })?.size ?? 0)
  const kB = bytes.reduce((sum, each) => sum + each, 0) / 1_000
  expect(kB).toBeLessThanOrEqual(mostKb)
  // A smaller view lowers its record.
  expect(kB).toBeGreaterThan(mostKb - 5)
})
