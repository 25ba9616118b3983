import { aSettingsRow, aWork } from '@saldo/client/testing'
import { buildTimeline, HOUR_MS } from '@saldo/core'
import { expect, test } from 'vitest'
import { indexOf } from '../../domain/entries/search.ts'
import { newestWith } from './found-places.ts'

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
