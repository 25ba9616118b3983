import { buildTimeline, DAY_MS, HOUR_MS, MINUTE_MS } from '@saldo/core'
import { expect, test } from 'vitest'
import { aSettingsRow, aWork } from '../testing.ts'
import { FORGOTTEN_AFTER_MS } from './forgotten-after.ts'
import { forgottenTimer, typedEnd, worksAtNight } from './forgotten-timer.ts'

const timeline = buildTimeline([aSettingsRow()])
/** 00:00 of a Friday in Berlin. */
const MIDNIGHT_MS = Date.parse('2026-11-19T23:00:00Z')
const at = (hours: number) => MIDNIGHT_MS + hours * HOUR_MS

test('a timer counts as forgotten after the longest time, such as 12 hours, or at midnight', () => {
  const [early, late] = [aWork(at(6), null), aWork(at(23), null)]
  expect(forgottenTimer([early], timeline, at(18), false, FORGOTTEN_AFTER_MS)).toBeUndefined()
  expect(forgottenTimer([early], timeline, at(18.1), false, FORGOTTEN_AFTER_MS)).toBe(early)
  expect(forgottenTimer([late], timeline, at(23.9), false, FORGOTTEN_AFTER_MS)).toBeUndefined()
  expect(forgottenTimer([late], timeline, at(24), false, FORGOTTEN_AFTER_MS)).toBe(late)
  expect(forgottenTimer([aWork(at(1), at(20))], timeline, at(30), false, FORGOTTEN_AFTER_MS)).toBeUndefined()
})

test('of two forgotten timers, the first is asked about first', () => {
  const [first, second] = [aWork(at(6), null), aWork(at(7), null)]
  expect(forgottenTimer([first, second], timeline, at(30), false, FORGOTTEN_AFTER_MS)).toBe(first)
})

test('a timer over midnight is usual for people who work at night, up to 12 hours', () => {
  const nights = [aWork(at(-2), at(6))]
  expect(worksAtNight(nights, timeline)).toBe(true)
  expect(worksAtNight([aWork(at(8), at(24)), aWork(at(-2), at(1), { kind: 'break' })], timeline)).toBe(false)
  expect(worksAtNight([aWork(at(-20), at(-12)), ...nights, aWork(at(8), at(16))], timeline)).toBe(true)
  const late = aWork(at(22), null)
  expect(forgottenTimer([late], timeline, at(30), true, FORGOTTEN_AFTER_MS)).toBeUndefined()
  expect(forgottenTimer([late], timeline, at(34.1), true, FORGOTTEN_AFTER_MS)).toBe(late)
})

test('a typed end is on the day of the start, or on the next if it is not after the start', () => {
  const end = (text: string, nowMs = at(30)) => typedEnd(text, undefined, at(9), nowMs, 'Europe/Berlin')
  expect(end('17:00')).toEqual({ endDate: '2026-11-20', endMs: at(17) })
  expect(end('9:01')).toEqual({ endDate: '2026-11-20', endMs: at(9) + MINUTE_MS })
  expect(end('9:00')).toEqual({ endDate: '2026-11-21', endMs: undefined })
  expect(end('9:00', at(33))).toEqual({ endDate: '2026-11-21', endMs: at(33) })
  expect(end('5:00')).toEqual({ endDate: '2026-11-21', endMs: at(29) })
  expect(end('')).toEqual({ endDate: '2026-11-20', endMs: undefined })
})

test('a typed end is not in the future, not before the start, and at most 31 days after it', () => {
  const end = (text: string, date: '2026-11-19' | '2026-11-20' | '2026-12-21', nowMs: number) =>
    typedEnd(text, date, at(9), nowMs, 'Europe/Berlin').endMs
  expect(end('17:00', '2026-11-20', at(17))).toBe(at(17))
  expect(end('17:01', '2026-11-20', at(17))).toBeUndefined()
  expect(end('9:00', '2026-11-20', at(17))).toBe(at(9))
  expect(end('8:59', '2026-11-20', at(17))).toBeUndefined()
  expect(end('17:00', '2026-11-19', at(17))).toBeUndefined()
  expect(end('9:00', '2026-12-21', at(24 * 40))).toBe(at(9) + 31 * DAY_MS)
  expect(end('9:01', '2026-12-21', at(24 * 40))).toBeUndefined()
})
