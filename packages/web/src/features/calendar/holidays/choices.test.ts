import { anAbsence } from '@saldo/client/testing'
import { HOUR_MS, type LocalDate } from '@saldo/core'
import { expect, test } from 'vitest'
import type { AbsenceRecord } from '../../../domain/entries/parts.ts'
import type { CalendarDay } from '../calendar-days.ts'
import { choicesOf } from './choices.ts'

const aDay = (date: LocalDate, plannedMs: number, kinds: AbsenceRecord['kind'][] = []): [LocalDate, CalendarDay] => [
  date,
  {
    date,
    plannedMs,
    workedMs: 0,
    creditedMs: 0,
    targetMs: plannedMs,
    deltaMs: 0,
    isClosed: false,
    counts: true,
    absences: kinds.map((kind) => ({ record: anAbsence(kind, date) as AbsenceRecord, pending: false })),
  },
]
const days = new Map<LocalDate, CalendarDay>([
  ['2026-01-01', { ...aDay('2026-01-01', 0)[1], counts: false }],
  aDay('2026-10-03', 0),
  aDay('2026-12-24', 8 * HOUR_MS, ['vacation']),
  aDay('2026-12-25', 8 * HOUR_MS),
  aDay('2026-12-31', 8 * HOUR_MS, ['public_holiday']),
])
const holidays = {
  free: (['2026-01-01', '2026-10-03', '2026-12-25', '2026-12-31'] as const).map((date) => ({
    date,
    name: date,
    share: 1,
  })),
  others: [{ date: '2026-12-24' as const, name: 'Christmas Eve', share: 0.5 }],
}
const summaryOf = (choices: ReturnType<typeof choicesOf>) =>
  choices.map(({ holiday, state, isChosen }) => [holiday.date.slice(5), state, isChosen])

test('proposes holidays on days with a target once', () => {
  expect(summaryOf(choicesOf(holidays, true, days, new Map()))).toEqual([
    ['01-01', 'outside', false],
    ['10-03', 'free', false],
    ['12-24', 'new', false],
    ['12-25', 'new', true],
    ['12-31', 'entered', false],
  ])
  expect(choicesOf(holidays, false, days, new Map())).toHaveLength(4)
})

test('the user can decide otherwise, but enters none twice', () => {
  const decisions = new Map<LocalDate, boolean>([
    ['2026-10-03', true],
    ['2026-12-24', true],
    ['2026-12-25', false],
    ['2026-12-31', true],
  ])
  expect(summaryOf(choicesOf(holidays, true, days, decisions)).map(([, , isChosen]) => isChosen)).toEqual([
    false,
    true,
    true,
    false,
    false,
  ])
})
