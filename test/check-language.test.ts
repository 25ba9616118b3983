import { join } from 'node:path'
import { expect, test } from 'vitest'

type Finding = { line: number; kind: string; detail: string }
const { findingsIn } = (await import(join(import.meta.dirname, '../scripts/check-language.mjs'))) as {
  findingsIn(path: string, text: string): Finding[]
}

const kindsIn = (path: string, ...lines: string[]) =>
  findingsIn(path, lines.join('\n')).map(({ line, kind }) => `${line} ${kind}`)

test('a line of more than 120 characters is found, unless it cannot be wrapped', () => {
  const long = 'é'.repeat(121)
  expect(kindsIn('a.ts', 'é'.repeat(120), long, `const sql = '${long}'`)).toEqual(['2 length'])
  expect(kindsIn('a.ts', `/** A user's ${long}'s. */`)).toEqual(['1 length'])
  expect(kindsIn('a.test.ts', `test('${long}', () => {})`)).toEqual(['1 length'])
  expect(kindsIn('a.md', long, `| ${long} |`, '```', long, '```', long)).toEqual(['1 length', '6 length'])
})

test('a comment that begins with a free relative clause is found, in every form of comment', () => {
  expect(kindsIn('a.ts', '/** What it keeps. */', 'x() // Whether it is', '/**', ' * Who leads.', ' */')).toEqual([
    '1 comment',
    '2 comment',
    '3 comment',
  ])
  expect(kindsIn('a.ts', '// How many there are.', 'const x = 1')).toEqual(['1 comment'])
})

test('a comment may have such a clause further on, and Markdown may begin with one', () => {
  expect(kindsIn('a.ts', '/** Returns what it keeps. */', '// Counts', '// What follows', '"https://Who"')).toEqual([])
  expect(kindsIn('a.md', '# How to start')).toEqual([])
})

test('a title that begins with such a clause is found', () => {
  expect(kindsIn('a.test.ts', "test('[D7.1] what it keeps', () => {})", "describe('who leads', () => {})")).toEqual([
    '1 title',
    '2 title',
  ])
  expect(kindsIn('a.test.ts', "test('it keeps what it has', () => {})", "test.each(['what', 'who'])(")).toEqual([])
})

test('a word of the private dialect is found, with the word to use instead', () => {
  expect(findingsIn('a.ts', 'const surroundings = 1')).toEqual([
    { line: 1, kind: 'word', detail: '"surroundings": host environment' },
  ])
  expect(kindsIn('a.md', 'The loser is told.', 'It goes to the tray.', 'an overmorrow', 'A stray mint.')).toEqual([
    '1 word',
    '2 word',
    '3 word',
  ])
})
