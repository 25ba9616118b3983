import { aSettingsRow, aWork } from '@saldo/client/testing'
import { buildTimeline, HOUR_MS } from '@saldo/core'
import { expect, test } from 'vitest'
import { indexOf } from '../../domain/entries/search.ts'
import type { Icon } from '../../ui/icon.tsx'
import { type Command, matching, newestWith, searchedWords } from './palette-model.ts'

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

const timeline = buildTimeline([
  aSettingsRow({ effective_from: '2026-01-01', time_zone: 'Europe/Berlin' }),
  aSettingsRow({ effective_from: '2026-11-10', time_zone: 'Europe/London' }),
])
const days = Array.from({ length: 8 }, (_, day) => Date.parse(`2026-11-${String(day + 6).padStart(2, '0')}T10:00:00Z`))
const rows = days.map((at) => ({ record: aWork(at, at + HOUR_MS, { project: 'Saldo' }), pending: false }))

test('the palette finds the newest entries, each in the time zone of its date', () => {
  const index = indexOf(rows, 'Europe/London', '2026-11-20')
  expect(newestWith('saldo', index, timeline).map(({ entry, zone }) => [entry.date, zone])).toEqual([
    ['2026-11-13', 'Europe/London'],
    ['2026-11-12', 'Europe/London'],
    ['2026-11-11', 'Europe/London'],
    ['2026-11-10', 'Europe/London'],
    ['2026-11-09', 'Europe/Berlin'],
    ['2026-11-08', 'Europe/Berlin'],
  ])
  expect(newestWith('garden', index, timeline)).toEqual([])
})
