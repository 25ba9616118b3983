import type { GrantRecord } from '@saldo/client/entries'
import { anAbsence, aSettingsRow } from '@saldo/client/testing'
import { buildTimeline, identifiedEntriesOf, type RecordId, vacationYear } from '@saldo/core'
import { expect, test } from 'vitest'
import { changeOfGrant, grantContent, grantFormOf, grantOfLine, vacationParts } from './vacation-model.ts'

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

const absence = anAbsence('vacation', '2026-05-04')
const grantOf = (id: string): GrantRecord => {
  const content = grantContent({ date: '2026-03-01', days: 2.5, note: 'from 2025' })
  return { ...content, id: id as RecordId, version: 1, created_at: absence.created_at, updated_at: absence.updated_at }
}

const typed = { date: '2026-05-01', days: 3, note: 'Agreed' } as const

test('a new grant is on the first day of the year, an edited one is as it is', () => {
  expect(grantFormOf({}, 2027)).toEqual({ date: '2027-01-01', days: 0, note: '' })
  expect(grantFormOf({ record: grantOf('a') }, 2027)).toEqual({ date: '2026-03-01', days: 2.5, note: 'from 2025' })
})

test('a grant that could not be saved is edited as it was typed', () => {
  expect(grantFormOf({ form: typed }, 2027)).toEqual(typed)
  expect(grantFormOf({ record: grantOf('a'), form: typed }, 2027)).toEqual(typed)
})

test('an edited grant is changed, a new one is created', () => {
  const record = grantOf('a')
  expect(changeOfGrant({ record, form: typed }, typed)).toEqual({ op: 'update', record, patch: typed })
  expect(changeOfGrant({}, typed)).toEqual({ op: 'create', content: grantContent(typed) })
})

test('a line of the account has a grant if its entry is one', () => {
  const [first, second] = [grantOf('a'), grantOf('b')]
  const rows = [absence, first, second].map((record) => ({ record, pending: false }))
  expect(grantOfLine({ entry_ids: [second.id] }, rows)).toBe(second)
  expect(grantOfLine({ entry_ids: [absence.id] }, rows)).toBeUndefined()
  expect(grantOfLine({ entry_ids: [] }, rows)).toBeUndefined()
})
