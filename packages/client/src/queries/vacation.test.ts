import type { LocalDate, Settings } from '@saldo/core'
import { expect, test } from 'vitest'
import { anAbsence, aSettingsRow } from '../testing.ts'
import { previewSettings } from './forecast.ts'
import { alteredVacation } from './vacation.ts'

const days = (days_per_year: number) => ({ vacation: { days_per_year, carry_over_until: null } })
const row = aSettingsRow({ effective_from: '2026-01-01', ...days(24) })
const [friday, saturday] = ['2026-11-20', '2026-11-21'] as const
const entries = [anAbsence('vacation', friday), anAbsence('vacation', saturday)]

const altered = (after: Partial<Settings>[], today: LocalDate = '2026-11-24', before: readonly Settings[] = [row]) =>
  alteredVacation({ settings: before, entries }, { settings: after.map(aSettingsRow), entries }, today)

test('[D17.9] a preview names what is entitled and left this year, before and after a change', () => {
  expect(altered([{ ...row, ...days(30) }])).toMatchObject({
    year: 2026,
    before: { entitled: 24, left: 23 },
    after: { entitled: 30, left: 29 },
  })
})

test('[D17.9] it names other days left of the same entitlement: work on Saturdays makes one of vacation', () => {
  expect(altered([{ ...row, target_ms: row.target_ms.with(5, 1) }])).toMatchObject({
    before: { entitled: 24, left: 23 },
    after: { entitled: 24, left: 22 },
  })
})

test('[D17.9] it names next year where this one stays the same, and nothing where both do', () => {
  expect(altered([row, { effective_from: '2027-01-01', ...days(30) }])).toMatchObject({
    year: 2027,
    before: { entitled: 24, left: 47 },
    after: { entitled: 30, left: 53 },
  })
  expect(altered([row, { effective_from: '2028-01-01', ...days(30) }])).toBeNull()
  expect(altered([{ ...row, note: 'other' }])).toBeNull()
})

test('[D17.9] a year without a vacation account is named where it gets one or loses it', () => {
  const none = aSettingsRow({ effective_from: '2026-01-01' })
  expect(altered([row], friday, [none])).toMatchObject({ year: 2026, before: null, after: { left: 23 } })
  expect(altered([none])).toMatchObject({ year: 2026, before: { left: 23 }, after: null })
  expect(altered([none], friday, [none])).toBeNull()
})

test('[D17.9] the preview of a settings row has the vacation account on the date of its time zone', () => {
  const account = { settings: [row], entries, adjustments: [], closedDays: [], closedWeeks: [], affectedRanges: [] }
  const lastHourMs = Date.parse('2026-12-31T23:30:00Z')
  const preview = (time_zone: string) =>
    previewSettings(account, { ...row, ...days(30), time_zone }, lastHourMs).vacation?.year
  expect(preview('Europe/London')).toBe(2026)
  expect(preview('Europe/Berlin')).toBe(2027)
})
