import { aSettingsRow, aWork } from '@saldo/client/testing'
import { buildTimeline, HOUR_MS } from '@saldo/core'
import { expect, test } from 'vitest'
import { shownHints } from './shown-hints.ts'

const date = '2026-11-20'
const at = (hours: number) => Date.parse('2026-11-19T23:00:00Z') + hours * HOUR_MS

test('core time is missed only once the day is over, and running work counts up to now', () => {
  const timeline = buildTimeline([aSettingsRow({ hints: 'de', core_time: { from: '10:00', to: '15:00' } })])
  const entries = [aWork(at(11), null)]
  const codesOn = (today: '2026-11-20' | '2026-11-21', nowMs: number) => {
    return shownHints({ entries, timeline, date, today }, nowMs).map(({ code }) => code)
  }
  expect(codesOn(date, at(12))).toEqual([])
  expect(codesOn(date, at(21.5))).toEqual(['long_day', 'missing_break'])
  expect(codesOn('2026-11-21', at(24))).toContain('core_time_missed')
})
