import { expect, test } from 'vitest'
import type { Icon } from '../../ui/icon.tsx'
import { type Command, matching, searchedWords } from './commands.ts'

const icon = {} as Icon
const command = (label: string): Command => ({ id: label, label, icon, run() {} })
const groups = [
  { label: 'Acts', commands: [command('Start the timer'), command('Sync now')] },
  { label: 'Views', commands: [command('Übersicht')] },
]
const labels = (query: string) => matching(groups, query).flatMap(({ commands }) => commands.map(({ label }) => label))

test('an empty query matches every command; words match parts of a label without accents and case', () => {
  expect(labels('tim sta')).toEqual(['Start the timer'])
  expect(labels('uber')).toEqual(['Übersicht'])
  expect(labels('')).toHaveLength(3)
  expect(matching(groups, 'nothing')).toEqual([])
})

test('two letters find entries, and spaces around them do not count', () => {
  expect(['', 'a', ' a ', 'ab', ' ab '].map(searchedWords)).toEqual([undefined, undefined, undefined, 'ab', 'ab'])
})
