import { aSettingsRow, aWork } from '@saldo/client/testing'
import { buildTimeline, HOUR_MS } from '@saldo/core'
import { expect, test } from 'vitest'
import { indexOf } from '../../domain/entries/search.ts'
import type { Icon } from '../../ui/icon.tsx'
import { type Command, matching, newestWith, periodsNamed, searchedWords } from './palette-model.ts'

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

test('other words find a command too, after those that are named so', () => {
  const views = [{ ...command('Calendar'), words: 'week absences' }, command('Week')]
  const found = matching([{ label: 'Views', commands: views }], 'week')
  expect(found[0]?.commands.map(({ label }) => label)).toEqual(['Week', 'Calendar'])
})

test.each([
  ['2026-10-12', 'day 2026-10-12'],
  ['12.10.', 'day 2026-10-12'],
  ['yesterday', 'day 2026-11-19'],
  ['week 42', 'week 2026-10-12'],
  ['KW 42 2025', 'week 2025-10-13'],
  ['2026-W42', 'week 2026-10-12'],
  ['last week', 'week 2026-11-09'],
  ['october', 'month 2026-10-01'],
  ['Okt 2025', 'month 2025-10-01'],
  ['2026-10', 'month 2026-10-01'],
  ['1/2027', 'month 2027-01-01'],
  ['13/2026', undefined],
  ['this month', 'month 2026-11-01'],
  ['last month', 'month 2026-10-01'],
  ['nächsten Monat', 'month 2026-12-01'],
  ['übernächster Monat', 'month 2027-01-01'],
  ['2025', 'year 2025-01-01'],
  ['next year', 'year 2027-01-01'],
  ['letztes Jahr', 'year 2025-01-01'],
  ['mon year', undefined],
  ['vacation', undefined],
  ['mon', undefined],
])('the query «%s» names %s', (query, named) => {
  const [first] = periodsNamed(query, '2026-11-20')
  if (query !== 'mon') expect(first && `${first.is} ${first.from}`).toBe(named)
  expect(periodsNamed(query, '2026-11-20').filter(({ is }) => is === 'month').length).toBe(
    named?.startsWith('month') ? 1 : 0,
  )
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
