import { anAbsence, aSettingsRow, aWork } from '@saldo/client/testing'
import { buildTimeline, computeDay, HOUR_MS, type LocalDate } from '@saldo/core'
import { expect, test } from 'vitest'
import { ringOf } from './ring-figures.ts'

const timeline = buildTimeline([aSettingsRow()])
const nine = Date.parse('2026-11-20T08:00:00Z')
const ringAfter = (hours: number, date: LocalDate = '2026-11-20') =>
  ringOf(computeDay([aWork(nine, nine + hours * HOUR_MS)], timeline, date))

test('the ring is full at the target; overtime begins a second round', () => {
  expect(ringAfter(2)).toEqual({ countedMs: 2 * HOUR_MS, targetMs: 8 * HOUR_MS, share: 0.25, beyond: 0 })
  expect(ringAfter(10)).toMatchObject({ share: 1, beyond: 0.25 })
  expect(ringAfter(0)).toMatchObject({ share: 0, beyond: 0 })
})

test('a break that is deducted is no work', () => {
  const figures = { ...computeDay([], timeline, '2026-11-20'), worked_ms: 9 * HOUR_MS, deducted_break_ms: HOUR_MS }
  expect(ringOf(figures)).toMatchObject({ countedMs: 8 * HOUR_MS, share: 1, beyond: 0 })
  expect(ringOf({ ...figures, worked_ms: 30 * HOUR_MS })).toMatchObject({ share: 1, beyond: 1 })
})

test('credited time counts as worked; any work fills the ring of a day without target', () => {
  expect(ringOf(computeDay([anAbsence('sick', '2026-11-20')], timeline, '2026-11-20'))).toMatchObject({
    share: 1,
    beyond: 0,
  })
  expect(ringOf({ ...computeDay([], timeline, '2026-11-21'), worked_ms: 1 })).toMatchObject({ share: 1, beyond: 0 })
  expect(ringOf(computeDay([], timeline, '2026-11-21'))).toMatchObject({ targetMs: 0, share: 0 })
})
