import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { changesSince, readResults } from './results.ts'

const MOST_COMMITS = 300

const readme = readFileSync(join(import.meta.dirname, 'README.md'), 'utf8')
/** The targets of each part, as its table shows them. */
const targets = new Map(
  readme
    .split(/^## /m)
    .slice(1)
    .map((section): [part: string, rows: Row[]] => {
      const [part = '', ...lines] = section.split('\n')
      const cells = lines.filter((line) => /^\| (?!what )/.test(line)).map((line) => line.split('|'))
      return [part, cells.map(([, what = '', target = '']) => ({ what: what.trim(), target: target.trim() }))]
    }),
)

interface Row {
  /** With `…` at its start, it ends the names of several results. */
  what: string
  target: string
}

const isOf = (row: Row, what: string) =>
  row.what.startsWith('…') ? what.endsWith(row.what.slice(1)) : what === row.what

test('the parts with targets are those with results and those that README lists as not measured yet', () => {
  const [, list = ''] = /^Not measured yet: (.*)\.$/m.exec(readme) ?? []
  const notMeasured = list.split(', ').filter((part) => part !== '')
  expect([...Object.keys(readResults()), ...notMeasured].toSorted()).toEqual([...targets.keys()].toSorted())
})

test.each(Object.entries(readResults()))('each target of %s has a result, and each result its target', (part, of) => {
  const rows = targets.get(part) ?? []
  expect(rows).not.toEqual([])
  const results = of.results.filter(({ target }) => target !== '').map(({ what, target }) => ({ what, target }))
  expect(rows.filter((row) => !results.some(({ what }) => isOf(row, what)))).toEqual([])
  const asTargeted = results.map(({ what }) => ({ what, target: rows.find((row) => isOf(row, what))?.target }))
  expect(results).toEqual(asTargeted)
})

test.each(Object.entries(readResults()))('the results of %s are of recent code', (_, { commit }) => {
  expect(changesSince(commit)).toBeLessThanOrEqual(MOST_COMMITS)
})
