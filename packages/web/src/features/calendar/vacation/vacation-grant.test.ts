import type { GrantRecord } from '@saldo/client/entries'
import { anAbsence } from '@saldo/client/testing'
import type { RecordId } from '@saldo/core'
import { expect, test } from 'vitest'
import { changeOfGrant, draftOfGrant, grantContent, grantOfLine } from './vacation-grant.ts'

const absence = anAbsence('vacation', '2026-05-04')
const grantOf = (id: string): GrantRecord => {
  const content = grantContent({ date: '2026-03-01', days: 2.5, note: 'from 2025' })
  return { ...content, id: id as RecordId, version: 1, created_at: absence.created_at, updated_at: absence.updated_at }
}

const typed = { date: '2026-05-01', days: 3, note: 'Agreed' } as const

test('a new grant is on the first day of the year, an edited one is as it is', () => {
  expect(draftOfGrant({}, 2027)).toEqual({ date: '2027-01-01', days: 0, note: '' })
  expect(draftOfGrant({ record: grantOf('a') }, 2027)).toEqual({ date: '2026-03-01', days: 2.5, note: 'from 2025' })
})

test('a grant that could not be saved is edited as it was typed', () => {
  expect(draftOfGrant({ draft: typed }, 2027)).toEqual(typed)
  expect(draftOfGrant({ record: grantOf('a'), draft: typed }, 2027)).toEqual(typed)
})

test('an edited grant is changed, a new one is created', () => {
  const record = grantOf('a')
  expect(changeOfGrant({ record, draft: typed }, typed)).toEqual({ op: 'update', record, patch: typed })
  expect(changeOfGrant({}, typed)).toEqual({ op: 'create', content: grantContent(typed) })
})

test('a line of the account has a grant if its entry is one', () => {
  const [first, second] = [grantOf('a'), grantOf('b')]
  const rows = [absence, first, second].map((record) => ({ record, pending: false }))
  expect(grantOfLine({ entry_ids: [second.id] }, rows)).toBe(second)
  expect(grantOfLine({ entry_ids: [absence.id] }, rows)).toBeUndefined()
  expect(grantOfLine({ entry_ids: [] }, rows)).toBeUndefined()
})
