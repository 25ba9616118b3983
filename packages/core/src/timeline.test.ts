import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dateBetween, oddDateBetween, plus, settingsAround, settingsRow, zone } from '../test/arbitraries.ts'
import { readFixture } from '../test/fixtures.ts'
import { NaiveAccount, type NaiveSettings } from '../test/naive-account.ts'
import { runsOf } from '../test/tier.ts'
import { isDate } from './date.ts'
import { epochMs, instantOf } from './instant.ts'
import { parseContent } from './record.ts'
import {
  type AccountSettings,
  buildTimeline,
  dateAt,
  datesOverlapping,
  dayStart,
  dayWindow,
  plannedOn,
  plannedUnder,
  rangeInForce,
  rotationWeek,
  settingsOn,
  zoneOn,
} from './timeline.ts'
import { DAY_MS, HOUR_MS, type LocalDate, MINUTE_MS } from './values.ts'

const { schedules, windows } = readFixture<{
  schedules: Record<string, AccountSettings[]>
  windows: { schedule: string; date: LocalDate; start: string; end: string }[]
}>('account')

/** A date, and settings that change around it. */
const scene = oddDateBetween('1850-01-01', '2100-01-01').chain((date) =>
  settingsAround(date).map((rows) => ({ date, rows, timeline: buildTimeline(rows) })),
)

function alone(time_zone: string): AccountSettings {
  const target_ms = [0, 0, 0, 0, 0, 0, 0]
  const id = '00000000-0000-4000-8000-000000000001'
  return { id, effective_from: '1900-01-01', time_zone, target_ms, break_policy: null, auto_close: null }
}

describe('day windows', () => {
  test.each(windows)('[D3.3] $schedule: $date goes from $start to $end', ({ schedule, date, start, end }) => {
    const window = dayWindow(buildTimeline(schedules[schedule] as AccountSettings[]), date)
    expect({ start: instantOf(window.start), end: instantOf(window.end) }).toStrictEqual({ start, end })
  })

  test('[D2.17] the schedules of the fixtures are settings', () => {
    for (const row of Object.values(schedules).flat()) {
      if (row.effective_from >= '1900') expect(parseContent('settings_history', row)).toMatchObject({ ok: true })
    }
  })

  test('[D3.4] windows tile time for any zones and any settings history: no gap, no overlap', () => {
    fc.assert(
      fc.property(scene, ({ date, timeline }) => {
        const first = plus(date, -20)
        let reached = dayWindow(timeline, first).start
        for (let days = -20; days <= 20; days += 1) {
          const { start, end } = dayWindow(timeline, plus(date, days))
          expect(start).toBe(reached)
          expect(end).toBeGreaterThanOrEqual(start)
          reached = end
        }
        // They keep up with the calendar: no date lies farther from its UTC day than zones do.
        expect(Math.abs(reached - Date.parse(plus(date, 21)))).toBeLessThan(1.5 * DAY_MS)
      }),
      { numRuns: 300 },
    )
  })

  test('[D3.3] a window starts at the later of the first instants of its date and of the date before', () => {
    const first = (date: string, zoneName: string) =>
      Temporal.PlainDate.from(date).toZonedDateTime({ timeZone: zoneName }).epochMilliseconds
    fc.assert(
      fc.property(scene, fc.integer({ min: -9, max: 9 }), ({ date, rows, timeline }, days) => {
        const day = plus(date, days)
        const account = new NaiveAccount([], rows, MINUTE_MS)
        const zoneOf = (on: string) => account.rowOn(on)?.time_zone ?? ''
        const before = plus(day, -1)
        expect(dayStart(timeline, day)).toBe(Math.max(first(day, zoneOf(day)), first(before, zoneOf(before))))
      }),
      { numRuns: runsOf(100, 500) },
    )
  })

  test('[D3.3] in one zone, the window of a date is what clocks show as that date', () => {
    fc.assert(
      fc.property(zone, dateBetween('1850-01-01', '2100-01-01'), fc.nat(DAY_MS - 1), (name, date, offset) => {
        const at = Date.parse(date) + offset
        const shown = (ms: number) =>
          Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(name).toPlainDate().toString()
        // Clocks go back only at a transition: the latest date so far is shown now or was just before the last one.
        const zoned = Temporal.Instant.fromEpochMilliseconds(at + 1).toZonedDateTimeISO(name)
        const turned = zoned.getTimeZoneTransition('previous')?.epochMilliseconds
        const latest = [shown(at), turned === undefined ? '' : shown(turned - 1)].sort()[1]
        expect(dateAt([alone(name)], at)).toBe(latest)
      }),
      { numRuns: runsOf(300, 1_500) },
    )
  })
})

describe('dateAt', () => {
  test('[D3.3] dateAt is the inverse of the windows', () => {
    fc.assert(
      fc.property(scene, fc.integer({ min: -12 * DAY_MS, max: 12 * DAY_MS }), ({ date, timeline }, offset) => {
        const at = Date.parse(date) + offset
        const { start, end } = dayWindow(timeline, dateAt(timeline, at))
        expect(start).toBeLessThanOrEqual(at)
        expect(end).toBeGreaterThan(at)
      }),
      { numRuns: runsOf(200, 1_000) },
    )
  })

  test('[D3.3] dateAt names each date from its first to its last instant', () => {
    fc.assert(
      fc.property(scene, ({ date, timeline }) => {
        for (let days = -9; days <= 9; days += 1) {
          const day = plus(date, days)
          const { start, end } = dayWindow(timeline, day)
          if (start < end) expect([dateAt(timeline, start), dateAt(timeline, end - 1)]).toStrictEqual([day, day])
          else expect(dateAt(timeline, start) > day).toBe(true)
        }
      }),
      { numRuns: 200 },
    )
  })

  test('[D1.6] dateAt stays within the years 1 to 9999', () => {
    for (const name of ['Pacific/Kiritimati', 'Pacific/Pago_Pago', 'UTC']) {
      for (const at of ['0001-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z'] as const) {
        expect(isDate(dateAt([alone(name)], epochMs(at)))).toBe(true)
      }
    }
    expect(dateAt([alone('Pacific/Kiritimati')], epochMs('9999-12-31T23:59:59.999Z'))).toBe('9999-12-31')
    expect(dateAt([alone('Pacific/Pago_Pago')], epochMs('0001-01-01T00:00:00.000Z'))).toBe('0001-01-01')
  })
})

describe('datesOverlapping', () => {
  test('[D3.26] datesOverlapping spans exactly the dates whose windows an interval overlaps', () => {
    // Many of the intervals begin or end with a window, or a millisecond beside it.
    const place = fc.tuple(fc.integer({ min: -5, max: 5 }), fc.oneof(fc.integer({ min: -1, max: 1 }), fc.nat(DAY_MS)))
    fc.assert(
      fc.property(scene, place, place, ({ date, timeline }, ...places) => {
        const [a = 0, b = 0] = places.map(([days, offset]) => dayStart(timeline, plus(date, days)) + offset)
        const interval = { start: Math.min(a, b), end: Math.max(a, b) }
        const met: string[] = []
        for (let days = -9; days <= 9; days += 1) {
          const { start, end } = dayWindow(timeline, plus(date, days))
          if (Math.max(start, interval.start) < Math.min(end, interval.end)) met.push(plus(date, days))
        }
        const range = datesOverlapping(timeline, interval)
        expect(range).toStrictEqual(met.length === 0 ? undefined : { from: met[0], to: met.at(-1) })
        expect(datesOverlapping(timeline, { start: interval.end, end: interval.start })).toBeUndefined()
      }),
      { numRuns: runsOf(100, 500) },
    )
  })
})

describe('buildTimeline and settingsOn', () => {
  test('[D2.15] [D2.16] the latest row not after the date is in force, of one date that with the greater id', () => {
    const ids = fc.constantFrom(...[1, 2, 3, 4].map((digit) => `00000000-0000-4000-8000-00000000000${digit}` as const))
    const row = fc
      .tuple(settingsRow(dateBetween('2026-01-01', '2026-01-08')), ids)
      .map(([settings, id]) => ({ ...settings, id }))
    fc.assert(
      fc.property(fc.array(row, { maxLength: 12 }), dateBetween('2025-12-30', '2026-01-10'), (rows, date) => {
        const inForce = settingsOn(buildTimeline(rows), date)
        const expected = new NaiveAccount([], rows, MINUTE_MS).rowOn(date)
        // Rows with one id are one record; which copy is taken does not matter.
        const identity = (settings?: Pick<NaiveSettings, 'effective_from' | 'id'>) =>
          settings && [settings.effective_from, settings.id]
        expect(identity(inForce)).toStrictEqual(identity(expected))
      }),
      { numRuns: runsOf(200, 1_000) },
    )
  })

  test('the target of a date is that of its weekday in the row in force', () => {
    const hours = [8, 7, 6, 5, 4, 0, 0].map((each) => each * HOUR_MS)
    const timeline = buildTimeline([{ ...alone('Europe/Berlin'), effective_from: '2026-11-16', target_ms: hours }])
    const dates = ['2026-11-15', '2026-11-16', '2026-11-20', '2026-11-21'] as const
    expect(dates.map((date) => plannedOn(timeline, date))).toEqual([0, 8 * HOUR_MS, 4 * HOUR_MS, 0])
  })

  test('[D14.1] the weeks of a rotation take turns, beginning with the ISO week of the row', () => {
    const week = (hours: number) => Array<number>(7).fill(hours * HOUR_MS)
    const target_ms = [...week(1), ...week(2), ...week(3)]
    const row = { ...alone('UTC'), effective_from: '2026-11-18' as const, target_ms }
    const dates = ['2026-11-18', '2026-11-22', '2026-11-23', '2026-11-30', '2026-12-07'] as const
    expect(dates.map((date) => plannedUnder(row, date) / HOUR_MS)).toEqual([1, 1, 2, 3, 1])
    expect(dates.map((date) => rotationWeek(row, date))).toEqual([0, 0, 1, 2, 0])
  })

  test('[D14.2] a week that is repeated in a rotation plans as it does alone', () => {
    const repeated = fc.tuple(settingsRow(dateBetween('2026-01-01', '2026-01-08')), fc.integer({ min: 1, max: 8 }))
    fc.assert(
      fc.property(repeated, dateBetween('2026-01-08', '2027-01-31'), ([row, times], date) => {
        const week = row.target_ms.slice(0, 7)
        const inTurn = { ...row, target_ms: Array.from({ length: times }, () => week).flat() }
        expect(plannedUnder(inTurn, date)).toBe(plannedUnder({ ...row, target_ms: week }, date))
      }),
    )
  })

  test('[D2.16] the timeline does not depend on the order of rows', () => {
    const shuffled = fc
      .array(settingsRow(dateBetween('2026-01-01', '2026-01-08')), { maxLength: 8 })
      .chain((rows) => fc.tuple(fc.constant(rows), fc.shuffledSubarray(rows, { minLength: rows.length })))
    fc.assert(
      fc.property(shuffled, ([rows, others]) => {
        expect(buildTimeline(others)).toStrictEqual(buildTimeline(rows))
      }),
    )
  })

  test('[D3.16] before the first row a date has no settings, and the zone of the first row', () => {
    const timeline = buildTimeline([alone('Europe/Berlin')])
    expect(settingsOn(timeline, '1899-12-31')).toBeUndefined()
    expect(settingsOn(timeline, '1900-01-01')?.time_zone).toBe('Europe/Berlin')
    expect(zoneOn(timeline, '1899-12-31')).toBe('Europe/Berlin')
    expect(settingsOn([], '2026-01-01')).toBeUndefined()
    expect(zoneOn([], '2026-01-01')).toBe('UTC')
  })

  test('[D2.15] a row governs exactly the dates on which it is in force', () => {
    fc.assert(
      fc.property(scene, ({ date, timeline }) => {
        for (const row of timeline) {
          const { from, to } = rangeInForce(timeline, row.effective_from)
          for (let days = -9; days <= 9; days += 1) {
            const day = plus(date, days)
            expect(settingsOn(timeline, day) === row).toBe(day >= from && (to === null || day <= to))
          }
        }
      }),
      { numRuns: 100 },
    )
  })

  test('[D2.15] a date between rows is governed up to the next row', () => {
    const timeline = buildTimeline(schedules['berlin, from Wednesday 6 h Mon–Thu'] as AccountSettings[])
    expect(rangeInForce(timeline, '2026-11-01')).toStrictEqual({ from: '2026-11-01', to: '2026-11-17' })
    expect(rangeInForce(timeline, '2026-11-18')).toStrictEqual({ from: '2026-11-18', to: null })
    expect(rangeInForce(timeline, '2019-01-01')).toStrictEqual({ from: '2019-01-01', to: '2019-12-31' })
    expect(rangeInForce([], '2026-11-18')).toStrictEqual({ from: '2026-11-18', to: null })
  })
})
