import { aSettingsRow } from '@saldo/client/testing'
import { type AccountTrailPage, type AccountTrailRow, buildTimeline } from '@saldo/core'
import { expect, test } from 'vitest'
import { causeOf, eventOf, looksIn, ownChangeOf, wholeTrail } from './trail-model.ts'

test('[D29.6] a person reads the whole trail of their account, page by page', async () => {
  const asked: (string | null)[] = []
  const rows = await wholeTrail(async (after) => {
    asked.push(after)
    const number = Number(after ?? 0) + 1
    const page = { items: [{ number }], cursor: number < 3 ? String(number) : null, last: { number: 3, hash: '' } }
    return page as unknown as AccountTrailPage
  })
  expect(asked).toEqual([null, '1', '2'])
  expect(rows.map(({ number }) => number)).toEqual([1, 2, 3])
})

test('[D25.10] a person sees each look at their days and sheets, the latest first', () => {
  const rows = ['month_submitted', 'sheet_read', 'own_change', 'days_read', 'exported', 'trail_read'].map(
    (kind, index) => ({ kind, number: index + 1 }) as AccountTrailRow,
  )
  expect(looksIn(rows).map(({ number }) => number)).toEqual([6, 5, 4, 2])
})

test('[D29.2] an own change is named by what was added, changed or deleted, and of which day', () => {
  const timeline = buildTimeline([aSettingsRow()])
  const of = (data: object, kind = 'own_change') => ownChangeOf({ kind, data } as AccountTrailRow, timeline)
  // Past midnight in Berlin.
  const late = { kind: 'work', started_at: '2026-11-09T23:30:00.000Z' }
  const sick = { kind: 'sick', date: '2026-11-12' }
  const of10th = { record: 'entries', date: '2026-11-10' }
  expect(of({ record: 'entries', before: null, after: late })).toEqual({ ...of10th, op: 'added' })
  expect(of({ record: 'entries', before: sick, after: late })).toEqual({ ...of10th, op: 'changed' })
  expect(of({ record: 'entries', before: sick, after: null })).toMatchObject({ op: 'deleted', date: sick.date })
  expect(of({ record: 'balance_adjustments', before: null, after: { effective_date: '2026-10-31' } })).toMatchObject({
    date: '2026-10-31',
  })
  expect(of({ record: 'settings_history', before: { effective_from: '2026-10-01' }, after: null })).toMatchObject({
    ...{ op: 'deleted', date: '2026-10-01' },
  })
  expect(of({ record: 'entries', before: null, after: {} })).toBeUndefined()
  expect(of({ record: 'entries', before: null, after: late }, 'change_applied')).toBeUndefined()
})

test('[D29.2] a decision says what it was, and a month that was opened says for what without an id', () => {
  const row = (kind: AccountTrailRow['kind'], data: object) => ({ kind, data }) as AccountTrailRow
  expect(eventOf(row('request_decided', { outcome: 'approved' }))).toBe('request_approved')
  expect(eventOf(row('request_decided', { outcome: 'declined' }))).toBe('request_declined')
  expect(eventOf(row('days_read', { month: '2026-11' }))).toBe('days_read_in')
  expect(eventOf(row('days_read', {}))).toBe('days_read')
  const id = 'd3f2cd15-cbc6-4570-b07e-f75de8417b57'
  expect(causeOf(row('month_reopened', { month: '2026-11', request: id }))).toBe('request')
  expect(causeOf(row('month_reopened', { month: '2026-11', leave: id }))).toBe('leave')
  expect(causeOf(row('change_applied', { leave: id }))).toBe('leave')
  expect(causeOf(row('month_reopened', { month: '2026-11', reason: 'Request of the works council' }))).toBeUndefined()
  expect(causeOf(row('request_decided', { request: id, outcome: 'approved' }))).toBeUndefined()
})
