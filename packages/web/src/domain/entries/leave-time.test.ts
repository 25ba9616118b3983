import { anAbsence, aSettingsRow, aWork } from '@saldo/client/testing'
import { buildTimeline, computeDay, type Entry, HOUR_MS, instantOf, MINUTE_MS, type Settings } from '@saldo/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { leaveTime } from './leave-time.ts'

const DATE = '2026-11-20'
/** 00:00 in Berlin. */
const MIDNIGHT_MS = Date.parse('2026-11-19T23:00:00Z')
const at = (hours: number) => MIDNIGHT_MS + hours * HOUR_MS

const german: Settings['break_policy'] = {
  rules: [
    { worked_above_ms: 6 * HOUR_MS, required_ms: 30 * MINUTE_MS },
    { worked_above_ms: 9 * HOUR_MS, required_ms: 45 * MINUTE_MS },
  ],
  min_piece_ms: 15 * MINUTE_MS,
}
const timeline = buildTimeline([aSettingsRow({ break_policy: german })])
const free = buildTimeline([aSettingsRow({ break_policy: null })])

describe('the time to leave', () => {
  test('includes the required break', () => {
    const entries = [aWork(at(8), null)]
    expect(leaveTime(entries, timeline, DATE, at(10))).toEqual({
      kind: 'at',
      atMs: at(16.5),
      deltaMs: 0,
      isWorking: true,
    })
    expect(leaveTime(entries, free, DATE, at(10))).toMatchObject({ atMs: at(16) })
  })

  test('includes a break that was taken', () => {
    const entries = [aWork(at(8), at(12)), aWork(at(13), null)]
    expect(leaveTime(entries, timeline, DATE, at(14))).toMatchObject({ atMs: at(17) })
  })

  test('without a timer assumes that work begins now', () => {
    expect(leaveTime([], free, DATE, at(9))).toMatchObject({ atMs: at(17), isWorking: false })
  })

  test('during a break assumes that work goes on now', () => {
    const entries = [aWork(at(8), at(12)), aWork(at(12), null, { kind: 'break' })]
    expect(leaveTime(entries, free, DATE, at(13))).toMatchObject({ atMs: at(17), isWorking: false })
  })

  test('during work that does not count assumes that work begins now', () => {
    const entries = [aWork(at(8), null, { counts: false })]
    expect(leaveTime(entries, free, DATE, at(9))).toMatchObject({ atMs: at(17), isWorking: false })
  })

  test('can be reached already, be out of reach today, or be undefined', () => {
    expect(leaveTime([aWork(at(8), null)], free, DATE, at(17))).toEqual({ kind: 'reached', deltaMs: HOUR_MS })
    expect(leaveTime([aWork(at(8), null)], free, DATE, at(16))).toEqual({ kind: 'reached', deltaMs: 0 })
    expect(leaveTime([], free, DATE, at(16))).toMatchObject({ kind: 'at', atMs: at(24) })
    expect(leaveTime([], free, DATE, at(20))).toEqual({ kind: 'notToday' })
    expect(leaveTime([anAbsence('vacation', DATE)], free, DATE, at(9))).toBeUndefined()
    expect(leaveTime([anAbsence('sick', DATE)], free, DATE, at(9))).toBeUndefined()
  })

  test('half a day of vacation halves what is to be worked', () => {
    const entries: Entry[] = [anAbsence('vacation', DATE, 0.5), aWork(at(8), null)]
    expect(leaveTime(entries, free, DATE, at(9))).toMatchObject({ atMs: at(12) })
  })

  test('is the first minute at which the account would close the day without a minus', () => {
    const spans = fc.array(fc.tuple(fc.nat(11 * 60), fc.integer({ min: 1, max: 180 })), { maxLength: 4 })
    fc.assert(
      fc.property(spans, fc.integer({ min: 11 * 120, max: 15 * 120 }), (done, nowHalfMinutes) => {
        const nowMs = MIDNIGHT_MS + (nowHalfMinutes * MINUTE_MS) / 2
        const entries = done.map(([start, length]) =>
          aWork(MIDNIGHT_MS + start * MINUTE_MS, Math.min(MIDNIGHT_MS + (start + length) * MINUTE_MS, nowMs)),
        )
        const found = leaveTime(entries, timeline, DATE, nowMs)
        if (found?.kind !== 'at') return
        const deltaAt = (ms: number) =>
          computeDay([...entries, aWork(nowMs, Math.max(nowMs, ms))], timeline, DATE).delta_ms
        expect(deltaAt(found.atMs)).toBeGreaterThanOrEqual(0)
        expect(deltaAt(found.atMs - MINUTE_MS)).toBeLessThan(0)
        expect(instantOf(found.atMs)).toMatch(/:00\.000Z$/)
      }),
    )
  })
})
