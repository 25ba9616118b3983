import type { AccountTrailPage, AccountTrailRow } from '@saldo/core'
import { expect, test } from 'vitest'
import { looksIn, wholeTrail } from './trail-model.ts'

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
