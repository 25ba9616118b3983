import { HOUR_MS } from '@saldo/core'
import { expect, test } from 'vitest'
import { aSettingsRow } from '../../../test/records.ts'
import { zoneMeaning } from './zone-meaning.ts'

const berlin = aSettingsRow({ effective_from: '2026-01-01' })
const newYork = aSettingsRow({ effective_from: '2026-11-02', time_zone: 'America/New_York' })

test('a move to the west makes the day before it longer', () => {
  expect(zoneMeaning(newYork, [berlin], '2026-11-21')).toEqual({
    from: '2026-11-02',
    zone: 'America/New_York',
    zoneBefore: 'Europe/Berlin',
    isBorder: true,
    isPast: true,
    oddDays: [{ date: '2026-11-01', lengthMs: 30 * HOUR_MS }],
  })
})

test('from tomorrow on no past day is cut anew', () => {
  expect(zoneMeaning(newYork, [berlin], '2026-11-01')).toMatchObject({ isPast: false })
})

test('another zone from the beginning has no border', () => {
  const corrected = { ...berlin, time_zone: 'Europe/London' }
  expect(zoneMeaning(corrected, [berlin], '2026-11-21')).toMatchObject({ isBorder: false, oddDays: [] })
})

test('the same zone, and one of an account that begins, mean nothing', () => {
  expect(zoneMeaning({ ...newYork, time_zone: 'Europe/Berlin' }, [berlin], '2026-11-21')).toBeUndefined()
  expect(zoneMeaning(berlin, [], '2026-11-21')).toBeUndefined()
})
