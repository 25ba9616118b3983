import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')

/**
 * The number of level 1 and 2 requirements of each section of OWASP ASVS 5.0.0. They are numbered from 1; those of
 * level 3 follow.
 */
const sections: Record<string, number[]> = {
  1: [2, 9, 11, 3, 2],
  2: [3, 3, 4, 1],
  3: [0, 2, 4, 6, 5, 0, 2],
  4: [3, 1, 2, 4],
  5: [1, 3, 2, 3],
  6: [3, 12, 4, 4, 5, 3, 0, 4],
  7: [3, 4, 2, 5, 2, 2],
  8: [2, 3, 1, 1],
  9: [3, 4],
  11: [2, 3, 3, 4, 1, 1],
  12: [3, 2, 4],
  13: [1, 5, 2, 5],
  14: [2, 4, 3],
  15: [3, 3, 7],
  16: [1, 5, 4, 3, 3],
}

const document = read('docs/asvs.md')
const rows = [...document.matchAll(/^\| ([\d][^|]*) \| ([^|]*) \| ([^|]*) \| ([^|]*) \| ([^|]*) \|$/gm)].map(
  ([, numbers = '', , verdict = '', how = '', tests = '']) => ({ numbers, verdict, how, tests: tests.split(', ') }),
)
const named = new Map(
  [...document.matchAll(/^\| `([^`]+)` \| (T.+) \|$/gm)].flatMap(([, file, titles = '']) =>
    [...titles.matchAll(/(T\d+) (.+?) …(?:<br>|$)/g)].map(([, id, title]) => [id, { file, title }] as const),
  ),
)
/** The requirements about what Saldo does not have. */
const [, notApplicable = ''] = document.replaceAll(/\n(?=\S)/g, ' ').split('Saldo has nothing of these: ')
const spansNotApplicable = [
  ...(notApplicable.split('.\n')[0] ?? '').matchAll(/(?<=^|; )[\d.]+(?:–[\d.]+)?(?:, [\d.]+)*/g),
].flatMap(([spans]) => spans.split(', '))

const partsOf = (number: string) => number.split('.').map(Number)
/** A requirement's number as one that can be compared. */
const rank = (number: string) => partsOf(number).reduce((sum, part) => sum * 100 + part, 0)

test('docs/asvs.md has a row for every requirement of levels 1 and 2, and none without an answer', () => {
  const spans = [...rows.flatMap(({ numbers }) => numbers.split(', ')), ...spansNotApplicable].map((span) => {
    const [first = '', last = first] = span.replace(' (level 3)', '').split('–')
    return { first: rank(first), last: rank(last) }
  })
  const all = Object.entries(sections).flatMap(([chapter, counts]) =>
    counts.flatMap((count, section) => Array.from({ length: count }, (_, n) => `${chapter}.${section + 1}.${n + 1}`)),
  )
  expect(all).toHaveLength(217)
  const missing = all.filter(
    (number) => !spans.some(({ first, last }) => first <= rank(number) && rank(number) <= last),
  )
  expect(missing).toEqual([])
  for (const { numbers, verdict, how } of rows) {
    expect(['met', 'operator', 'accepted', '—'], numbers).toContain(verdict)
    expect(how.length, numbers).toBeGreaterThan(3)
  }
})

test('docs/asvs.md names only tests that are there', () => {
  expect(named.size).toBeGreaterThan(60)
  const absent = [...named].filter(([, { file = '', title = '' }]) => {
    const source = read(file).replaceAll("\\'", "'")
    return !source.includes(title)
  })
  expect(absent).toEqual([])
  const asked = new Set(rows.flatMap(({ tests }) => tests).filter((id) => id !== ''))
  expect([...asked].sort()).toEqual([...named.keys()].sort())
})
