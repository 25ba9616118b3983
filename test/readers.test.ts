import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const contentOf = (path: string) => readFileSync(join(root, path), 'utf8')

/** The rows of the table of readers in `docs/security.md`. */
const readers = [...contentOf('docs/security.md').matchAll(/^\| (.+) \| ([\d,]+)[^|]* \| `(.+)` \| `(\w+)` \|$/gm)].map(
  ([, what = '', budget = '', file = '', constant = '']) => ({ what, budget, file, constant }),
)

/** Returns the value that a file gives a constant or a field, a product of whole numbers. */
function budgetIn(file: string, constant: string): number {
  const found = new RegExp(`\\b${constant}\\b(?: =|:) ([\\d_* ]+)`).exec(contentOf(`packages/${file}`))?.[1] ?? ''
  return found.split('*').reduce((product, factor) => product * Number(factor.trim().replaceAll('_', '')), 1)
}

test.each(readers)('$what has the budget that the security page names', ({ budget, file, constant }) => {
  expect(budgetIn(file, constant).toLocaleString('en')).toBe(budget)
})

test('the security page names every limit of an import, and every budget of bodies', () => {
  const named = new Set(readers.map(({ file, constant }) => `${file} ${constant}`))
  for (const file of ['server/src/http/app.ts', 'server/src/http/request.ts', 'client/src/import/budget.ts']) {
    const constants = contentOf(`packages/${file}`).matchAll(/^const (MAX_\w*(?:BYTES|VALUES)) =|^ {2}(\w+): \d/gm)
    for (const [, constant, field] of constants) expect(named, file).toContain(`${file} ${constant ?? field}`)
  }
})
