import type { LocalDate, ZoneName } from '@saldo/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { certainTime } from '../reading/times.ts'
import { clockText, instantAt, wallAt } from './wall-time.ts'

const at = (date: LocalDate, text: string, zone: ZoneName) =>
  new Date(instantAt(date, certainTime(text) as number, zone)).toISOString().slice(0, 16)

describe('times on days of a clock change', () => {
  test.each<[LocalDate, string, ZoneName, string]>([
    ['2026-03-29', '01:59', 'Europe/Berlin', '2026-03-29T00:59'],
    ['2026-03-29', '03:00', 'Europe/Berlin', '2026-03-29T01:00'],
    ['2026-03-29', '09:00', 'Europe/Berlin', '2026-03-29T07:00'],
    ['2026-03-29', '24:00', 'Europe/Berlin', '2026-03-29T22:00'],
    ['2026-10-25', '01:30', 'Europe/Berlin', '2026-10-24T23:30'],
    ['2026-10-25', '09:00', 'Europe/Berlin', '2026-10-25T08:00'],
    ['2026-10-25', '24:00', 'Europe/Berlin', '2026-10-25T23:00'],
    ['2026-03-08', '09:00', 'America/New_York', '2026-03-08T13:00'],
    ['2026-11-01', '09:00', 'America/New_York', '2026-11-01T14:00'],
    ['2026-10-04', '09:00', 'Australia/Lord_Howe', '2026-10-03T22:00'],
  ])('%s %s in %s is %s', (date, text, zone, expected) => {
    expect(at(date, text, zone)).toBe(expected)
  })

  test('a skipped time is taken later by the length of the gap, a repeated time is the first', () => {
    expect(at('2026-03-29', '02:30', 'Europe/Berlin')).toBe('2026-03-29T01:30')
    expect(at('2026-10-25', '02:30', 'Europe/Berlin')).toBe('2026-10-25T00:30')
  })
})

test('every time of a day that is not skipped is read and shown alike, in every zone', () => {
  const zone = fc.constantFrom(
    ...['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kolkata', 'Pacific/Apia', 'UTC'],
  )
  const day = fc
    .constantFrom('2026-03-08', '2026-03-29', '2026-04-05', '2026-10-04', '2026-10-25', '2026-11-01', '2026-06-15')
    .map((date) => date as LocalDate)
  fc.assert(
    fc.property(day, fc.nat(1_439), zone, (date, minutes, name) => {
      const ms = instantAt(date, minutes, name)
      const shown = wallAt(ms, name)
      const isSkipped = shown.date !== date || shown.minutes !== minutes
      // The wall shows a skipped time nowhere, also not a moment before.
      if (isSkipped) expect(wallAt(ms - 60 * 60_000, name)).not.toEqual({ date, minutes })
      expect(shown.minutes - minutes).toBeOneOf([0, 30, 60])
      expect(certainTime(clockText(minutes))).toBe(minutes)
    }),
  )
})

test('minutes above 24:00 are of the next day', () => {
  expect(wallAt(instantAt('2026-10-24', 26 * 60 + 30, 'Europe/Berlin'), 'Europe/Berlin')).toEqual({
    date: '2026-10-25',
    minutes: 150,
  })
})
