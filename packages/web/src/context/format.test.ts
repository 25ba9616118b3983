import { certainValue, readDate, readDuration, readNumber, readPercent, readTime } from '@saldo/client/reading'
import { addDays, HOUR_MS, MINUTE_MS, parseDelta } from '@saldo/core'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { type DateStyle, type FormatOptions, formatOf } from './format.ts'

const english = formatOf({ locale: 'en-GB', durations: 'clock', hours: 'auto' })
const german = formatOf({ locale: 'de', durations: 'decimal', hours: 'auto' })

function minutes(text: string): number {
  const parsed = parseDelta(text)
  return parsed.ok ? parsed.deltaMs / 60_000 : Number.NaN
}

/** Without spaces, which differ between versions of the locale data. */
const plain = (text: string) => text.replace(/\s/g, '')

describe('lengths', () => {
  test('are whole minutes with a typographic minus', () => {
    expect(english.duration(7.5 * HOUR_MS + 59_000)).toBe('7:30')
    expect(english.delta(-0.5 * HOUR_MS)).toBe('−0:30')
    expect(english.delta(HOUR_MS)).toBe('+1:00')
    expect(english.delta(0)).toBe('0:00')
    expect(german.duration(7.5 * HOUR_MS)).toBe('7,50')
    expect(english.stopwatch(3_723_999)).toBe('1:02:03')
    expect(english.stopwatch(-1)).toBe('0:00:00')
  })

  test('add up: a delta plus the shown difference is the other delta', () => {
    const anyMs = fc.integer({ min: -100 * HOUR_MS, max: 100 * HOUR_MS })
    fc.assert(
      fc.property(anyMs, anyMs, (ms, fromMs) => {
        const [from, difference, sum] = [english.delta(fromMs), english.difference(ms, fromMs), english.delta(ms)]
        expect(minutes(from) + minutes(difference)).toBe(minutes(sum))
      }),
    )
  })

  test('add up: worked time minus a whole target is the shown delta', () => {
    fc.assert(
      fc.property(fc.nat(100 * HOUR_MS), fc.nat(24 * 60), (workedMs, targetMinutes) => {
        const delta = english.delta(workedMs - targetMinutes * MINUTE_MS)
        expect(minutes(delta)).toBe(minutes(english.duration(workedMs)) - targetMinutes)
      }),
    )
  })
})

test('time left and worked time add up to a whole target', () => {
  fc.assert(
    fc.property(fc.nat(40 * HOUR_MS), (workedMs) => {
      const left = english.timeLeft(workedMs - 40 * HOUR_MS)
      expect(minutes(english.duration(workedMs)) + minutes(left)).toBe(40 * 60)
    }),
  )
})

test('times are in the time zone; dates are calendar dates', () => {
  const ms = Date.parse('2026-11-21T08:05:00Z')
  expect(english.time(ms, 'Europe/Berlin')).toBe('09:05')
  expect(english.timeWithZone(ms, 'Europe/Berlin')).toBe('09:05 CET')
  expect(german.date('2026-11-21', 'day')).toBe('Samstag, 21. November')
  expect(formatOf({ locale: 'en-US', durations: 'clock', hours: 'h23' }).time(ms, 'UTC')).toBe('08:05')
})

test('dates are the same in a browser west of Greenwich', () => {
  vi.stubEnv('TZ', 'America/Los_Angeles')
  onTestFinished(() => void vi.unstubAllEnvs())
  expect(new Date(0).getHours()).toBe(16)
  const format = formatOf({ locale: 'de', durations: 'clock', hours: 'auto' })
  expect(format.date('2026-11-21', 'full')).toBe('21. November 2026')
  const near = '2026-11-20' as const
  const field = { today: near, near, order: 'dmy' } as const
  expect(readDate('1. März 2026', field)).toEqual({ kind: 'certain', value: '2026-03-01' })
})

test('each style of dates has its parts', () => {
  const inGerman = (style: DateStyle) => german.date('2026-11-21', style)
  expect(english.date('2026-11-21', 'day')).toBe('Saturday 21 November')
  expect(inGerman('dayAndMonth')).toBe('21. November')
  expect(inGerman('short')).toBe('Sa., 21. Nov.')
  expect(inGerman('full')).toBe('21. November 2026')
  expect(inGerman('medium')).toBe('21. Nov. 2026')
  expect(inGerman('field')).toBe('Sa., 21. Nov. 2026')
  expect(inGerman('weekdayNumber')).toBe('Sa., 21.')
  expect(inGerman('weekday')).toBe('Samstag')
  expect(inGerman('weekdayShort')).toBe('Sa')
  expect(inGerman('month')).toBe('November 2026')
})

test('an hour of a scale is a time of the region or of the preference, in the time zone', () => {
  const ms = Date.parse('2026-11-21T08:00:00Z')
  const american = (hours: FormatOptions['hours']) => formatOf({ locale: 'en-US', durations: 'clock', hours })
  expect(english.hour(ms, 'Europe/Berlin')).toBe('09:00')
  expect(plain(american('auto').hour(ms, 'Europe/Berlin'))).toBe('9AM')
  expect(american('h23').hour(ms, 'Europe/Berlin')).toBe('09:00')
  expect(plain(formatOf({ locale: 'de', durations: 'clock', hours: 'h12' }).time(ms, 'UTC'))).toBe('8:00AM')
  expect(plain(american('auto').dateTime(ms))).toMatch(/M$/)
  expect(plain(american('h23').dateTime(ms))).not.toMatch(/M$/)
})

test('numbers, shares and lists are written as in the language', () => {
  expect(german.number(1234.567)).toBe('1.234,57')
  expect(plain(german.percent(0.1255))).toBe('12,6%')
  expect(english.percent(0.5)).toBe('50%')
  expect([2.5, -1.125, 0].map(german.signed)).toEqual(['+2,5', '−1,13', '0'])
  expect(english.list(['a', 'b', 'c'])).toBe('a, b and c')
  expect([8, 8.25].map((hours) => german.duration(hours * HOUR_MS))).toEqual(['8,00', '8,25'])
})

test('an age has its largest unit only', () => {
  expect(english.age(30_000)).toBe('< 1 min')
  expect(english.age(90_000)).toBe('1 min')
  expect(english.age(2.5 * HOUR_MS)).toBe('2 hrs')
  expect(english.age(60 * HOUR_MS)).toBe('2 days')
  expect(english.age(72 * HOUR_MS)).toBe('3 days')
  const at = [MINUTE_MS, HOUR_MS, 48 * HOUR_MS]
  expect(at.map((ms) => english.age(ms - 1))).toEqual(['< 1 min', '59 mins', '47 hrs'])
  expect(at.map((ms) => english.age(ms))).toEqual(['1 min', '1 hr', '2 days'])
})

test('a range of dates does not repeat shared parts', () => {
  expect(plain(english.dateRange({ from: '2026-11-16', to: '2026-11-22' }))).toBe('16–22Nov2026')
  expect(plain(german.dateRange({ from: '2026-12-28', to: '2027-01-03' }))).toMatch(/2026.*2027/)
})

const formats = ['en-GB', 'en-US', 'de', 'de-AT', 'de-CH'].flatMap((locale) =>
  (['clock', 'decimal'] as const).flatMap((durations) =>
    (['auto', 'h23', 'h12'] as const).map((hours) => formatOf({ locale, durations, hours })),
  ),
)

describe.each(formats.map((format, index) => ({ format, name: `${format.locale} ${index}` })))(
  '[D32.6] what is printed is read back as the same: $name',
  ({ format }) => {
    test('durations and differences', () => {
      fc.assert(
        fc.property(fc.integer({ min: -60_000, max: 60_000 }), (count) => {
          const ms = count * MINUTE_MS
          for (const text of [format.duration(ms), format.delta(ms)]) {
            expect([text, certainValue(readDuration(text, format.bareNumber))]).toEqual([text, ms])
          }
        }),
      )
    })

    test('dates of each style, and times of day', () => {
      const today = '2026-11-20'
      fc.assert(
        fc.property(fc.integer({ min: -150, max: 150 }), fc.nat(1_439), (days, minute) => {
          const date = addDays(today, days)
          for (const style of ['field', 'full', 'medium', 'short', 'day', 'dayAndMonth'] as const) {
            const text = format.date(date, style)
            const read = readDate(text, { today, near: today, order: format.dateOrder })
            expect([text, certainValue(read)]).toEqual([text, date])
          }
          const time = format.time(minute * MINUTE_MS, 'UTC')
          expect([time, certainValue(readTime(time))]).toEqual([time, minute])
        }),
      )
    })

    test('numbers and percentages', () => {
      fc.assert(
        fc.property(
          fc.integer({ min: -9_999_999, max: 9_999_999 }),
          fc.integer({ min: 1, max: 1_000 }),
          (count, share) => {
            const text = format.typedNumber(count / 100)
            expect([text, certainValue(readNumber(text))]).toEqual([text, count / 100])
            expect(certainValue(readPercent(format.percent(share / 1_000)))).toBeCloseTo(share / 1_000)
          },
        ),
      )
    })
  },
)
