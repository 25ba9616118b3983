import { anAbsence, aSettingsRow } from '@saldo/client/testing'
import { buildTimeline, identifiedEntriesOf, vacationYear } from '@saldo/core'
import { expect, test } from 'vitest'
import { vacationParts } from './vacation-parts.ts'

test('the parts of a vacation account add up to the days left, and none of them is 0', () => {
  const vacation = { days_per_year: 24, carry_over_until: '03-31' } as const
  const timeline = buildTimeline([aSettingsRow({ effective_from: '2025-07-01', vacation })])
  const absences = ['2026-03-02', '2026-05-04', '2026-12-21'].map((date) => anAbsence('vacation', date as '2026-03-02'))
  const entries = identifiedEntriesOf(absences)
  const account = vacationYear(entries, timeline, '2026-11-24', 2026)
  if (!account) throw new Error('there is no account')
  const parts = vacationParts(account)
  expect(parts).toEqual([
    { part: 'carried', days: 12 },
    { part: 'entitled', days: 24 },
    { part: 'taken', days: -2 },
    { part: 'planned', days: -1 },
    { part: 'expired', days: -11 },
  ])
  expect(parts.reduce((sum, { days }) => sum + days, 0)).toBe(account.left)
})
