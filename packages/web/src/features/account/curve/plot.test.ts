import { addDays, HOUR_MS, type LocalDate, MINUTE_MS } from '@saldo/core'
import { expect, test } from 'vitest'
import { balanceTicks, dateTicks, indexByKey, margin, monthTicks, plotOf } from './plot.ts'

const pointsOf = (...balances: number[]) =>
  balances.map((balanceMs, index) => ({ date: addDays('2026-11-01', index), balanceMs }))

test('round balances with 0 enclose the curve', () => {
  const hours = (...balances: number[]) => balanceTicks(pointsOf(...balances.map((each) => each * HOUR_MS)))
  expect(hours(-3.5, 2)).toEqual([-4, -3, -2, -1, 0, 1, 2].map((each) => each * HOUR_MS))
  expect(hours(3, 40)).toEqual([0, 10, 20, 30, 40].map((each) => each * HOUR_MS))
  expect(hours(-700, -20)).toEqual([-800, -600, -400, -200, 0].map((each) => each * HOUR_MS))
  expect(hours(0.5, 0.75)).toEqual([0, 15, 30, 45].map((each) => each * MINUTE_MS))
  expect(hours(0)).toEqual([0, MINUTE_MS])
})

test('points lie between the margins, the first at the left, and each is found where it lies', () => {
  const points = pointsOf(0, 4 * HOUR_MS, -2 * HOUR_MS)
  const plot = plotOf(points, [400, 280], String)
  expect([plot.xOf(0), plot.xOf(2)]).toEqual([plot.left, 400 - margin.right])
  expect([plot.yOf(4 * HOUR_MS), plot.yOf(-2 * HOUR_MS)]).toEqual([margin.top, 280 - margin.bottom])
  expect(points.map((_, index) => plot.indexAt(plot.xOf(index)))).toEqual([0, 1, 2])
  expect([plot.indexAt(0), plot.indexAt(1_000)]).toEqual([0, 2])
  const one = plotOf(pointsOf(HOUR_MS), [400, 280], String)
  expect([one.xOf(0), one.indexAt(200)]).toEqual([one.left, 0])
  // Longer labels have more room.
  expect(plotOf(points, [400, 280], () => '−10000:00').left).toBeGreaterThan(plot.left)
})

test('a narrow drawing has fewer dates, and a long time has months', () => {
  const month = pointsOf(...Array<number>(30).fill(0))
  expect(dateTicks(month, 900)).toMatchObject({ areMonths: false })
  expect(dateTicks(month, 900).dates).toHaveLength(6)
  expect(dateTicks(month, 320).dates).toEqual(['2026-11-01', '2026-11-16'])
  expect(dateTicks(pointsOf(...Array<number>(365).fill(0)), 900)).toMatchObject({ areMonths: true })
})

const days = (from: LocalDate, count: number, step = 1) =>
  Array.from({ length: count }, (_, index) => ({ date: addDays(from, index * step), balanceMs: 0 }))

test('puts ticks at the beginnings of months, at regular distances', () => {
  expect(monthTicks(days('2025-11-20', 366), 6)).toEqual([
    '2026-01-01',
    '2026-03-01',
    '2026-05-01',
    '2026-07-01',
    '2026-09-01',
    '2026-11-01',
  ])
  const years = monthTicks(days('2017-03-01', 500, 7), 6) ?? []
  expect(years.map((date) => date.slice(0, 7))).toEqual(['2018-01', '2020-01', '2022-01', '2024-01', '2026-01'])
  expect(monthTicks(days('2026-11-01', 60), 6)).toBeUndefined()
})

test.each([
  ['ArrowLeft', 49, 0],
  ['ArrowDown', 49, 0],
  ['ArrowRight', 51, 99],
  ['ArrowUp', 51, 99],
  ['PageUp', 20, 0],
  ['PageDown', 80, 99],
  ['Home', 0, 0],
  ['End', 99, 99],
  ['x', undefined, undefined],
])('%s moves the cursor of a curve, and no further than its ends', (key, from50, atEnd) => {
  expect(indexByKey(key, 50, 100)).toBe(from50)
  const isForward = ['ArrowRight', 'ArrowUp', 'PageDown', 'End'].includes(key)
  expect(indexByKey(key, isForward ? 99 : 0, 100)).toBe(atEnd)
})
