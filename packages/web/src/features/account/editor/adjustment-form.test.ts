import { anAdjustment } from '@saldo/client/testing'
import { HOUR_MS, type LocalDate } from '@saldo/core'
import { expect, test } from 'vitest'
import { adjustmentFormOf, balanceAfter, contentOfAdjustment, withKind } from './adjustment-form.ts'

const today: LocalDate = '2026-11-24'

test('a payout and an expiry are deductions at first, other kinds are not', () => {
  const kinds = ['opening', 'payout', 'correction', 'expiry', 'transfer', 'other'] as const
  expect(kinds.filter((kind) => withKind(kind).isDeduction)).toEqual(['payout', 'expiry'])
  expect(kinds.map((kind) => withKind(kind).kind)).toEqual(kinds)
  expect(withKind('correction')).toEqual({ kind: 'correction' })
})

test('an adjustment becomes a form and the same adjustment again', () => {
  const record = anAdjustment('2026-11-01', -5 * HOUR_MS, 'payout')
  const form = adjustmentFormOf(record, today)
  expect(form).toMatchObject({ isDeduction: true, amountMs: 5 * HOUR_MS })
  const { effective_date, delta_ms, kind, reason } = record
  expect(contentOfAdjustment(form)).toEqual({ ok: true, content: { effective_date, delta_ms, kind, reason } })
})

test('names the first missing field', () => {
  const form = adjustmentFormOf(undefined, today)
  expect(contentOfAdjustment(form)).toEqual({ ok: false, problem: 'amount' })
  expect(contentOfAdjustment({ ...form, amountMs: 1, reason: ' ' })).toEqual({ ok: false, problem: 'reason' })
  expect(contentOfAdjustment({ ...form, amountMs: 1, date: '' })).toEqual({ ok: false, problem: 'date' })
})

test('[D2.21] the reason of a declined proposal can be edited, and no other adjustment can be of no hours', () => {
  const declined = anAdjustment('2026-12-31', 0, 'expiry')
  const form = adjustmentFormOf(declined, today)
  expect(contentOfAdjustment({ ...form, reason: 'Agreed' }, declined)).toMatchObject({ content: { delta_ms: 0 } })
  expect(contentOfAdjustment({ ...form, kind: 'other' }, declined)).toEqual({ ok: false, problem: 'amount' })
  const payout = anAdjustment('2026-12-31', HOUR_MS, 'expiry')
  expect(contentOfAdjustment({ ...adjustmentFormOf(payout, today), amountMs: 0 }, payout).ok).toBe(false)
})

test('the preview counts the adjustment once, on its date', () => {
  const now = { today, balanceMs: 10 * HOUR_MS, future: [] }
  const form = { ...adjustmentFormOf(undefined, today), amountMs: 4 * HOUR_MS }
  expect(balanceAfter(form, undefined, now)).toEqual({
    isAhead: false,
    beforeMs: 10 * HOUR_MS,
    afterMs: 6 * HOUR_MS,
  })
  const past = anAdjustment('2026-11-01', -2 * HOUR_MS)
  expect(balanceAfter(form, past, now)).toMatchObject({ beforeMs: 12 * HOUR_MS, afterMs: 8 * HOUR_MS })
  const ahead = anAdjustment('2026-12-01', HOUR_MS)
  const later = { ...now, future: [{ date: '2026-12-01' as const, record: ahead }] }
  expect(balanceAfter({ ...form, date: '2026-12-31' }, undefined, later)).toMatchObject({
    isAhead: true,
    beforeMs: 11 * HOUR_MS,
  })
  expect(balanceAfter({ ...form, date: '2026-12-31' }, ahead, later)).toMatchObject({ beforeMs: 10 * HOUR_MS })
})

test('the preview of a future date counts the future adjustments up to that date, and that of today none', () => {
  const future = (['2026-12-01', '2026-12-02'] as const).map((date) => ({ date, record: anAdjustment(date, HOUR_MS) }))
  const beforeMs = (date: LocalDate, replaced = future[1]?.record) =>
    balanceAfter({ ...adjustmentFormOf(undefined, today), date }, replaced, { today, balanceMs: 0, future }).beforeMs
  expect(beforeMs('2026-11-30', undefined)).toBe(0)
  expect(beforeMs('2026-12-01', undefined)).toBe(HOUR_MS)
  expect(beforeMs('2026-12-02')).toBe(HOUR_MS)
  expect(beforeMs(today)).toBe(0)
  // An adjustment of today counts in the balance of today.
  const [ofToday, tomorrow] = [anAdjustment(today, HOUR_MS), anAdjustment('2026-11-25', HOUR_MS)]
  expect([beforeMs(today, ofToday), beforeMs(today, tomorrow)]).toEqual([-HOUR_MS, 0])
})
