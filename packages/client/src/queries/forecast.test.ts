import { type ClosedDay, datesIn } from '@saldo/core'
import { expect, test } from 'vitest'
import { aSettingsRow } from '../../test/records.ts'
import { computedRanges } from './forecast.ts'

test('a late change of an old week reads the entries around it and of the open days, and not all in between', () => {
  const closed = [...datesIn({ from: '2026-01-01', to: '2026-03-31' })]
  const account = {
    settings: [aSettingsRow()],
    entries: [],
    adjustments: [],
    closedDays: closed.map((date) => ({ date }) as ClosedDay),
    closedWeeks: [],
    affectedRanges: [
      { from: '2026-01-05', to: '2026-01-05' },
      { from: '2026-01-20', to: '2026-01-21' },
    ] as const,
  }
  expect(computedRanges(account, { from: '2026-01-01', to: '2026-04-02' })).toEqual([
    { from: '2026-01-05', to: '2026-01-21' },
    { from: '2026-04-01', to: '2026-04-02' },
  ])
})
