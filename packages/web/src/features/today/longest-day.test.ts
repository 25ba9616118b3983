import { timedIn } from '@saldo/client/entries'
import { aSettingsRow, aWork } from '@saldo/client/testing'
import { buildTimeline, dayWindow, type Entry, HOUR_MS, MINUTE_MS } from '@saldo/core'
import { expect, test } from 'vitest'
import { longestDayAhead } from './longest-day.ts'

const date = '2026-11-20'
const at = (hours: number) => Date.parse('2026-11-19T23:00:00Z') + hours * HOUR_MS
const break_policy = { rules: [{ worked_above_ms: 6 * HOUR_MS, required_ms: 30 * MINUTE_MS }], min_piece_ms: 0 }
const timeline = buildTimeline([aSettingsRow({ hints: 'de', break_policy })])

function aheadAt(hours: number, entries: Entry[], rows = timeline) {
  const rowsOfDay = entries.map((record) => ({ record, pending: false }))
  const timed = timedIn(rowsOfDay, dayWindow(rows, date), at(hours))
  return longestDayAhead({ date, entries, timed, timeline: rows }, at(hours))
}

test('two hours ahead, running work is near the longest day of ten hours, without the deducted break', () => {
  const entries = [aWork(at(8), null)]
  const reached = { limitMs: 10 * HOUR_MS, atMs: at(18.5) }
  expect(aheadAt(16.5, entries)).toEqual(reached)
  expect(aheadAt(18.4, entries)).toEqual(reached)
  expect(aheadAt(16.4, entries)).toBeUndefined()
  expect(aheadAt(18.5, entries)).toBeUndefined()
})

test('finished work, a break and an account without hints reach no longest day', () => {
  expect(aheadAt(17, [aWork(at(8), at(17))])).toBeUndefined()
  expect(aheadAt(17, [aWork(at(8), at(17)), aWork(at(17), null, { kind: 'break' })])).toBeUndefined()
  expect(aheadAt(17, [aWork(at(8), null)], buildTimeline([aSettingsRow()]))).toBeUndefined()
  expect(aheadAt(17, [aWork(at(8), null)], buildTimeline([]))).toBeUndefined()
})
