import type { Entry, KnownDays, LocalDate, Settings, UserNumber } from '@saldo/core'
import { GENERATED_AT, holidayId } from '@saldo/core'
import { expect, test } from 'vitest'
import { anAbsence, aSettingsRow } from '../testing.ts'
import { withGeneratedHolidays } from './holiday-preview.ts'

const user = 7 as UserNumber
const knownDays: KnownDays = (_, year) => [
  { date: `${year}-01-06` as LocalDate, name: 'Epiphany', isPublic: true, share: 1 },
]
const rule = { country: 'AA', state: null, region: null, partial: {} }
const without = aSettingsRow({ effective_from: '2026-01-01' })
const ruled = (effective_from: LocalDate) => aSettingsRow({ effective_from, holidays: rule })
const generated = (date: LocalDate): Entry => ({
  ...anAbsence('public_holiday', date),
  id: holidayId(user, date),
  source: 'holidays',
  updated_at: GENERATED_AT,
})

function datesAfter(
  after: readonly Settings[],
  entries: readonly Entry[] = [],
  before: readonly Settings[] = [without],
) {
  const changed = withGeneratedHolidays(entries, { before, after }, '2026-03-01', { user, knownDays })
  return changed.map((entry) => 'date' in entry && entry.date).sort()
}

test('[D16.2] [D16.14] holidays are generated up to the end of the next year, and where a rule is in force', () => {
  expect(datesAfter([ruled('2026-01-01')])).toEqual(['2026-01-06', '2027-01-06'])
  const end = aSettingsRow({ effective_from: '2026-06-01' })
  expect(datesAfter([ruled('2026-01-01'), end])).toEqual(['2026-01-06'])
  expect(datesAfter([without, ruled('2027-01-06')])).toEqual(['2027-01-06'])
  expect(datesAfter([without, ruled('2027-12-31')])).toEqual([])
  expect(datesAfter([without, ruled('2028-01-01')])).toEqual([])
})

test('[D16.14] generated holidays go with their rule, and those that a user entered or edited stay', () => {
  const before = [ruled('2026-01-01')]
  const edited = { ...generated('2026-01-06'), updated_at: '2026-02-01T00:00:00.000Z' as const }
  expect(datesAfter([without], [generated('2026-01-06'), generated('2027-01-06')], before)).toEqual([])
  expect(datesAfter([without], [edited], before)).toEqual(['2026-01-06'])
  expect(datesAfter([without], [anAbsence('public_holiday', '2027-01-06')], before)).toEqual(['2027-01-06'])
  expect(datesAfter([ruled('2026-01-01')], [anAbsence('public_holiday', '2027-01-06')])).toEqual([
    '2026-01-06',
    '2027-01-06',
  ])
})
