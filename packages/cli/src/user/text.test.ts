import { stripVTControlCharacters } from 'node:util'
import { clockText } from '@saldo/client/entries'
import { certainTime, certainValue, readDuration } from '@saldo/client/reading'
import { anAbsence, aWork } from '@saldo/client/testing'
import { epochMs, HOUR_MS, type Instant, MINUTE_MS } from '@saldo/core'
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { dateOf, lengthMs, shortIdLength, timeText, whenText } from './describe.ts'
import { counted, hours, signedHours, table } from './text.ts'

test('[D12.10] a length of time is rounded down to minutes as in the app, and has a sign unless it is none', () => {
  expect([0, 59_999, 60_000, 59.5 * MINUTE_MS, 100 * HOUR_MS].map(hours)).toEqual([
    '0:00',
    '0:00',
    '0:01',
    '0:59',
    '100:00',
  ])
  expect([-1, -5 * MINUTE_MS, -HOUR_MS].map(hours)).toEqual(['-0:01', '-0:05', '-1:00'])
  expect([-1, 0, 59_999, 15 * MINUTE_MS, -15 * MINUTE_MS].map(signedHours)).toEqual([
    '-0:01',
    '0:00',
    '0:00',
    '+0:15',
    '-0:15',
  ])
})

test('with colours, more than planned is green and less is red', () => {
  vi.stubEnv('FORCE_COLOR', '1')
  vi.stubEnv('NO_COLOR', undefined)
  const shown = [HOUR_MS, 0, -HOUR_MS].map(signedHours)
  vi.unstubAllEnvs()
  expect(shown).toEqual(['\u001b[32m+1:00\u001b[39m', '0:00', '\u001b[31m-1:00\u001b[39m'])
})

test('one is counted in the singular, none and several in the plural', () => {
  expect([0, 1, 2].map((count) => counted(count, 'day'))).toEqual(['0 days', '1 day', '2 days'])
  expect(counted(2, 'entry', 'entries')).toBe('2 entries')
})

test('columns are aligned to either side by the width in a terminal, without spaces at the end', () => {
  expect(
    table(
      [
        ['a', '1', 'x'],
        ['\u001b[1m日本\u001b[22m', '10'],
        ['🏖️', '', ''],
      ],
      '<><',
    ),
  ).toEqual(['a      1  x', '\u001b[1m日本\u001b[22m  10', '🏖️'])
  expect(table([], '<>')).toEqual([])
})

test('short ids have four characters, and more where two begin alike', () => {
  expect(shortIdLength([])).toBe(4)
  expect(shortIdLength(['abcd-1', 'abce-1'])).toBe(4)
  expect(shortIdLength(['b', 'abcde2', 'abcde1', 'abcde1'])).toBe(6)
})

test('an entry is on the date on which it starts in the zone, and an end on another date is named with it', () => {
  const [start, end]: Instant[] = ['2026-11-18T23:30:00.000Z', '2026-11-20T00:30:00.000Z']
  const entry = aWork(epochMs(start as Instant), epochMs(end as Instant))
  expect([dateOf(entry, 'Europe/Berlin'), dateOf(entry, 'UTC')]).toEqual(['2026-11-19', '2026-11-18'])
  expect(whenText(entry, 'Europe/Berlin')).toBe('00:30-2026-11-20 01:30')
  expect(timeText(epochMs(end as Instant), 'UTC', '2026-11-20')).toBe('00:30')
  expect(lengthMs(aWork(HOUR_MS, null), 0)).toBe(0)
  expect(lengthMs(aWork(HOUR_MS, null), 3 * HOUR_MS)).toBe(2 * HOUR_MS)
})

test('an absence is a day, half of it, another share or some hours, and a grant has days', () => {
  const when = (fields: object) => whenText({ ...anAbsence('vacation', '2026-11-18'), ...fields }, 'UTC')
  expect(when({ day_share: 1, amount_ms: null })).toBe('whole day')
  expect(when({ day_share: 0.5, amount_ms: null })).toBe('half a day')
  expect(when({ day_share: 0.25, amount_ms: null })).toBe('0.25 of the day')
  expect(when({ day_share: null, amount_ms: 2.5 * HOUR_MS })).toBe('2:30')
  expect(when({ kind: 'vacation_grant', days: 2.5 })).toBe('2.5 days')
})

test('[D32.6] durations and times that the command prints are read back as the same', () => {
  fc.assert(
    fc.property(fc.integer({ min: -100_000, max: 100_000 }), fc.nat(1_439), (count, minutes) => {
      const ms = count * MINUTE_MS
      for (const text of [hours(ms), stripVTControlCharacters(signedHours(ms))]) {
        expect([text, certainValue(readDuration(text, 'hours'))]).toEqual([text, ms])
      }
      expect(certainTime(clockText(minutes))).toBe(minutes)
    }),
  )
})
