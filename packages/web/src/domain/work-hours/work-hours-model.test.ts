import { HOUR_MS, type LocalDate, MINUTE_MS, plannedUnder } from '@saldo/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  breakPresetOf,
  breakPresets,
  copyWeek,
  isEven,
  likelyBreakPreset,
  moveWeek,
  spreadWeek,
  turnedRotation,
  usualAutoClose,
  usualWeek,
  usualWorkdays,
  weeksWithHours,
  weekTotal,
  workdaysOf,
} from './work-hours-model.ts'

test('the preset of a break policy is found by its values', () => {
  for (const [name, policy] of Object.entries(breakPresets)) expect(breakPresetOf(structuredClone(policy))).toBe(name)
  expect(breakPresetOf({ rules: [], min_piece_ms: 0 })).toBeUndefined()
})

test('the break rules are those of the law, in minutes', () => {
  const inMinutes = Object.values(breakPresets).map((policy) => [
    (policy?.min_piece_ms ?? 0) / MINUTE_MS,
    ...(policy?.rules ?? []).map((rule) => [rule.worked_above_ms / MINUTE_MS, rule.required_ms / MINUTE_MS]),
  ])
  expect(Object.keys(breakPresets)).toEqual(['none', 'de', 'at', 'ch'])
  expect(inMinutes).toEqual([[0], [15, [360, 30], [540, 45]], [10, [360, 30]], [15, [330, 15], [420, 30], [540, 60]]])
})

test('[D3.36] [D3.37] usually a day is closed a day after its end, and a week two days after its Sunday', () => {
  expect(usualAutoClose).toEqual({ day_after_ms: 24 * 60 * MINUTE_MS, week_after_days: 2 })
})

test('the proposed break rules are those of the time zone’s country, then of the locale’s', () => {
  expect(likelyBreakPreset('en-GB', 'Europe/Berlin')).toBe('de')
  expect(likelyBreakPreset('en-GB', 'Europe/Vienna')).toBe('at')
  expect(likelyBreakPreset('de-CH', 'Europe/Rome')).toBe('ch')
  expect(likelyBreakPreset('de', 'Europe/Zurich')).toBe('ch')
  expect(likelyBreakPreset('en-GB', 'Europe/London')).toBe('none')
  expect(likelyBreakPreset('de', 'Europe/London')).toBe('none')
})

test('the hours of a week are spread over its working days', () => {
  const week = spreadWeek(38.5 * HOUR_MS, usualWorkdays)
  expect(week.slice(0, 5)).toEqual(Array(5).fill(7.7 * HOUR_MS))
  expect(week.slice(5)).toEqual([0, 0])
})

test('a spread week has whole minutes, the typed sum, and days that are even', () => {
  const workdays = fc.array(fc.boolean(), { minLength: 7, maxLength: 7 }).filter((days) => days.some(Boolean))
  fc.assert(
    fc.property(fc.nat(7 * 24 * 60), workdays, (minutes, days) => {
      const week = spreadWeek(minutes * MINUTE_MS, days)
      expect(weekTotal(week)).toBe(minutes * MINUTE_MS)
      expect(week.every((ms) => ms % MINUTE_MS === 0)).toBe(true)
      expect(isEven(week)).toBe(true)
    }),
  )
})

test('a week without working days has no hours', () => {
  expect(spreadWeek(40 * HOUR_MS, Array(7).fill(false))).toEqual(Array(7).fill(0))
})

test('a week is even if its working days differ by a minute at most, however many there are', () => {
  const week = (...minutes: number[]) => minutes.map((one) => one * MINUTE_MS)
  expect(isEven(week(0, 480, 480, 481, 0, 0, 0))).toBe(true)
  expect(isEven(week(0, 480, 480, 482, 0, 0, 0))).toBe(false)
  expect(isEven(week(480, 480, 480, 480, 300, 0, 0))).toBe(false)
  expect(isEven(week(0, 0, 0, 0, 0, 0, 0))).toBe(true)
  expect(usualWeek).toEqual([...Array(5).fill(8 * HOUR_MS), 0, 0])
})

test('hours that are no whole minutes are rounded to the next minute', () => {
  expect(weekTotal(spreadWeek(10 * MINUTE_MS + 40_000, usualWorkdays))).toBe(11 * MINUTE_MS)
  expect(weekTotal(spreadWeek(10 * MINUTE_MS + 20_000, usualWorkdays))).toBe(10 * MINUTE_MS)
})

test('the weeks of a rotation have seven targets each', () => {
  expect(weeksWithHours([1, 1, 1, 1, 1, 0, 0, 2, 2, 2, 2, 2, 0, 0])).toEqual([
    [1, 1, 1, 1, 1, 0, 0],
    [2, 2, 2, 2, 2, 0, 0],
  ])
})

test('[D14.1] a row that continues a rotation plans each date as the row before it does', () => {
  const monday = Date.parse('2026-11-16')
  const dateAfter = (days: number) => new Date(monday + days * 86_400_000).toISOString().slice(0, 10) as LocalDate
  const rotation = fc
    .integer({ min: 1, max: 8 })
    .chain((weeks) => fc.array(fc.nat(10), { minLength: 7 * weeks, maxLength: 7 * weeks }))
  fc.assert(
    fc.property(rotation, fc.nat(6), fc.nat(100), fc.nat(100), (target_ms, first, later, days) => {
      const row = { effective_from: dateAfter(first), target_ms }
      const from = dateAfter(first + later)
      const next = { effective_from: from, target_ms: turnedRotation(row, from) }
      const date = dateAfter(first + later + days)
      expect(plannedUnder(next, date)).toBe(plannedUnder(row, date))
    }),
  )
})

test('a row that moves to another date keeps the hours of each week, also to an earlier one', () => {
  const [a, b, c] = [1, 2, 3].map((ms) => Array<number>(7).fill(ms))
  const row = { effective_from: '2026-11-18' as const, target_ms: [a, b, c].flat() as number[] }
  const weeksFrom = (date: LocalDate) => weeksWithHours(turnedRotation(row, date))
  expect(weeksFrom('2026-11-22')).toEqual([a, b, c])
  expect(weeksFrom('2026-11-23')).toEqual([b, c, a])
  expect(weeksFrom('2026-11-15')).toEqual([c, a, b])
  expect(weeksFrom('2026-11-02')).toEqual([b, c, a])
})

test('a week of a rotation is moved up and down, and copied behind itself', () => {
  const [a, b, c] = [[1], [2], [3]]
  const weeks = [a, b, c] as number[][]
  expect(moveWeek(weeks, 1, -1)).toEqual([b, a, c])
  expect(moveWeek(weeks, 1, 1)).toEqual([a, c, b])
  expect(moveWeek(weeks, 0, 1)).toEqual([b, a, c])
  expect(copyWeek(weeks, 0)).toEqual([a, a, b, c])
  expect(copyWeek(weeks, 2)).toEqual([a, b, c, c])
})

test('the days with hours are worked on; a week without hours has the usual days', () => {
  expect(workdaysOf([0, 0, 0, 0, 1, 1, 0])).toEqual([false, false, false, false, true, true, false])
  expect(workdaysOf([0, 0, 0, 0, 0, 0, 0])).toEqual(usualWorkdays)
})
