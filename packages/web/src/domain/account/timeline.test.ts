import { aSettingsRow, aWork } from '@saldo/client/testing'
import { computeDay, HOUR_MS, zoneOn } from '@saldo/core'
import { expect, test } from 'vitest'
import { shownTimeline } from './timeline.ts'

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
