import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { commitsSince, readResults } from './results.ts'

const MOST_COMMITS = 300

/** The targets of each part, as its table shows them; `…` at the start of a name stands for any text. */
const targets = new Map(
  readFileSync(join(import.meta.dirname, 'README.md'), 'utf8')
    .split(/^## /m)
    .slice(1)
    .map((section): [part: string, rows: { what: string; target: string }[]] => {
      const [part = '', ...lines] = section.split('\n')
      const cells = lines.filter((line) => /^\| (?!what )/.test(line)).map((line) => line.split('|'))
      return [part, cells.map(([, what = '', target = '']) => ({ what: what.trim(), target: target.trim() }))]
    }),
)

const isOf = (row: { what: string }, what: string) =>
  row.what.startsWith('…') ? what.endsWith(row.what.slice(1)) : what === row.what

test('the tables of targets and the results name the same parts', () => {
  expect(targets.size).toBeGreaterThan(8)
  expect(Object.keys(readResults()).toSorted()).toEqual([...targets.keys()].toSorted())
})

test.each([...targets])('each target of %s has a result, and each result its target', (part, rows) => {
  const results = readResults()[part]?.results.filter(({ target }) => target !== '') ?? []
  const withoutResult = rows.filter((row) => !results.some(({ what }) => isOf(row, what)))
  expect(withoutResult).toEqual([])
  const asTargeted = results.map(({ what }) => ({ what, target: rows.find((row) => isOf(row, what))?.target }))
  expect(results.map(({ what, target }) => ({ what, target }))).toEqual(asTargeted)
})

test.each(Object.entries(readResults()))('the results of %s are of recent code', (_, { commit }) => {
  expect(commitsSince(commit)).toBeLessThanOrEqual(MOST_COMMITS)
})
