import { aSettingsRow } from '@saldo/client/testing'
import { HOUR_MS } from '@saldo/core'
import { expect, test } from 'vitest'
import { zoneChangeOf } from './zone-change.ts'

const berlin = aSettingsRow({ effective_from: '2026-01-01' })
const newYork = aSettingsRow({ effective_from: '2026-11-02', time_zone: 'America/New_York' })

test('a move to the west makes the day before it longer', () => {
  expect(zoneChangeOf(newYork, [berlin], '2026-11-21')).toEqual({
    from: '2026-11-02',
    zone: 'America/New_York',
    zoneBefore: 'Europe/Berlin',
    hasBorder: true,
    isPast: true,
    unusualDays: [{ date: '2026-11-01', lengthMs: 30 * HOUR_MS }],
  })
})

test('a change from today on leaves past days as they are, one from yesterday on does not', () => {
  expect(zoneChangeOf(newYork, [berlin], '2026-11-02')).toMatchObject({ isPast: false })
  expect(zoneChangeOf(newYork, [berlin], '2026-11-03')).toMatchObject({ isPast: true })
})

test('another zone from the beginning has no border', () => {
  const corrected = { ...berlin, time_zone: 'Europe/London' }
  expect(zoneChangeOf(corrected, [berlin], '2026-11-21')).toMatchObject({ hasBorder: false, unusualDays: [] })
})

test('the same zone, and that of the first row, change nothing', () => {
  expect(zoneChangeOf({ ...newYork, time_zone: 'Europe/Berlin' }, [berlin], '2026-11-21')).toBeUndefined()
  expect(zoneChangeOf(berlin, [], '2026-11-21')).toBeUndefined()
})

test('a row that moves to another date has its border there, after the settings before it', () => {
  const moved = { ...newYork, effective_from: '2026-11-09', time_zone: 'Europe/London' } as const
  expect(zoneChangeOf(moved, [berlin, newYork], '2026-11-21')).toMatchObject({
    zoneBefore: 'America/New_York',
    unusualDays: [{ date: '2026-11-08', lengthMs: 25 * HOUR_MS }],
  })
})
