import { expect, test } from 'vitest'
import { dataOfMembership } from '../../src/team/data-of-membership.ts'

test('[D24.3] [D29.8] of a changed record, a company sees what it was and is on dates of the membership', () => {
  const memberDates = [{ from: '2026-09-15', to: '2026-10-31' }] as const
  const timed = (date: string) => ({ started_at: `${date}T08:00:00.000Z`, ended_at: `${date}T16:00:00.000Z` })
  const seen = (before: object | null, after: object) => {
    const { before: was, after: is, record } = dataOfMembership({ record: 'entries', before, after }, memberDates)
    expect(record).toBe('entries')
    return [was, is]
  }
  expect(seen(timed('2026-09-14'), timed('2026-09-15'))).toEqual([null, timed('2026-09-15')])
  expect(seen(null, { date: '2026-11-01' })).toEqual([null, null])
  expect(seen({ effective_date: '2026-10-01' }, { effective_date: '2026-11-01' })).toEqual([
    { effective_date: '2026-10-01' },
    null,
  ])
  const hours = (effective_from: string) => ({ effective_from, target_ms: [1] })
  expect(seen(hours('2026-01-01'), hours('2026-10-01'))).toEqual([hours('2026-09-15'), hours('2026-10-01')])
  expect(dataOfMembership({ month: '2026-09' }, memberDates)).toEqual({ month: '2026-09' })
})
