import { aSettingsRow, aWork } from '@saldo/client/testing'
import { computeDay, HOUR_MS, settingsOn, zoneOn } from '@saldo/core'
import { expect, test } from 'vitest'
import { shownTimeline } from './shown-timeline.ts'

const noon = Date.parse('2026-11-20T12:00:00Z')

test('without settings, days are in the browser’s time zone and show worked time', () => {
  const { timeline, counts } = shownTimeline([], 'Asia/Tokyo')
  expect(counts('2026-11-20')).toBe(false)
  expect(zoneOn(timeline, '2026-11-20')).toBe('Asia/Tokyo')
  expect(computeDay([aWork(noon, noon + HOUR_MS)], timeline, '2026-11-20')).toMatchObject({
    worked_ms: HOUR_MS,
    target_ms: 0,
  })
})

test('dates before the first settings row use its time zone', () => {
  const { timeline, counts } = shownTimeline([aSettingsRow({ effective_from: '2026-11-20' })], 'Asia/Tokyo')
  expect([counts('2026-11-19'), counts('2026-11-20')]).toEqual([false, true])
  expect(zoneOn(timeline, '2026-11-19')).toBe('Europe/Berlin')
})

test('dates before the first settings row have its first day of the week, no targets and no break rules', () => {
  const row = aSettingsRow({ effective_from: '2026-11-20', week_starts_on: 7 })
  const before = { week_starts_on: 7, target_ms: Array(7).fill(0), break_policy: null, auto_close: null }
  expect(settingsOn(shownTimeline([row], 'UTC').timeline, '2026-11-19')).toMatchObject(before)
  expect(settingsOn(shownTimeline([], 'UTC').timeline, '2026-11-19')?.week_starts_on).toBe(1)
})
