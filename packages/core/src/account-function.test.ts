import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { absence, entriesAround, plus, settingsAround, settingsRow, timed, timedEntry } from '../test/arbitraries.ts'
import { readFixture } from '../test/fixtures.ts'
import { NaiveAccount } from '../test/naive-account.ts'
import { runsOf } from '../test/tier.ts'
import {
  accountEntriesOf,
  affectedRange,
  computeDay,
  computeDays,
  type DayFigures,
  entriesByDate,
  intervalOf,
  sumFigures,
} from './account-function.ts'
import { datesOfWeek } from './date.ts'
import { type DateRange, datesIn } from './date-range.ts'
import { parseDelta } from './delta.ts'
import { type EntryContent, isCounted, isTimed } from './entry.ts'
import { epochMs } from './instant.ts'
import { parseContent } from './record.ts'
import { type AccountSettings, buildTimeline, dayWindow } from './timeline.ts'
import { HOUR_MS, type IsoWeek, type LocalDate, MINUTE_MS } from './values.ts'

const figureNames = ['target', 'worked', 'break', 'deducted_break', 'credited', 'delta'] as const

type Expected = Partial<Record<(typeof figureNames)[number], string>>

const { schedules, cases } = readFixture<{
  schedules: Record<string, AccountSettings[]>
  cases: {
    name: string
    schedule: string
    entries: unknown[]
    days: (Expected & { date: LocalDate; settings_id?: string | null })[]
    weeks?: (Expected & { week: IsoWeek })[]
  }[]
}>('account')

function contentOf<K extends 'entries' | 'settings_history'>(kind: K, input: unknown) {
  const parsed = parseContent(kind, input)
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors))
  return parsed.value
}

/** The rows of a schedule in canonical form, with what the service keeps of them. */
function rowsOf(schedule: string): AccountSettings[] {
  return (schedules[schedule] ?? []).map(({ id, ...said }) => ({
    ...contentOf('settings_history', said),
    id,
  }))
}

/** The figures that an expectation names, in milliseconds. */
function figuresOf(expected: Expected): Record<string, number> {
  const named = figureNames.filter((name) => expected[name] !== undefined)
  return Object.fromEntries(
    named.map((name) => {
      const parsed = parseDelta(expected[name] as string)
      if (!parsed.ok) throw new Error(`no delta: ${expected[name]}`)
      return [`${name}_ms`, parsed.deltaMs]
    }),
  )
}

describe('computeDay, the vectors', () => {
  test.each(cases)('[D3.10] $name', ({ schedule, entries, days, weeks = [] }) => {
    const timeline = buildTimeline(rowsOf(schedule))
    expect(timeline).not.toHaveLength(0)
    const contents = entries.map((entry) => contentOf('entries', entry))
    for (const { date, settings_id, ...expected } of days) {
      const identity = settings_id === undefined ? {} : { settings_id }
      expect(computeDay(contents, timeline, date), date).toMatchObject({ date, ...figuresOf(expected), ...identity })
    }
    for (const { week, ...expected } of weeks) {
      const closed = sumFigures(datesOfWeek(week).map((date) => computeDay(contents, timeline, date)))
      expect(closed, week).toMatchObject(figuresOf(expected))
    }
  })
})

// From 1985 on every zone's offset is whole minutes, which the minute model needs.
const modernDate = fc.oneof(
  fc.constantFrom<LocalDate[]>(
    '2026-03-29',
    '2026-10-25',
    '2011-12-30',
    '2026-09-06',
    '2006-10-29',
    '2025-02-23',
    '2026-06-10',
  ),
  fc.integer({ min: 5_500, max: 25_000 }).map((days) => plus('1970-01-01', days)),
)

const scene = modernDate.chain((date) =>
  fc.record({ date: fc.constant(date), rows: settingsAround(date), entries: entriesAround(date) }),
)

const zeros = { target_ms: 0, worked_ms: 0, break_ms: 0, deducted_break_ms: 0, credited_ms: 0, delta_ms: 0 }

const lengthOf = ({ start, end }: { start: number; end: number }) => Math.max(0, end - start)

describe('computeDay, its properties', () => {
  test('[D3.5] [D3.6] agrees with a model that counts minute by minute', () => {
    const onMinutes = modernDate.chain((date) =>
      fc.record({
        date: fc.constant(date),
        rows: settingsAround(date),
        entries: entriesAround(date, 60_000),
        days: fc.integer({ min: -2, max: 2 }),
      }),
    )
    fc.assert(
      fc.property(onMinutes, ({ date, rows, entries, days }) => {
        const day = plus(date, days)
        expect(computeDay(entries, buildTimeline(rows), day)).toEqual(
          new NaiveAccount(entries, rows, MINUTE_MS).day(day),
        )
      }),
      { numRuns: runsOf(50, 250) },
    )
  })

  test('[D3.16] agrees with the model where an account begins', () => {
    const beginnings = modernDate.chain((date) =>
      fc.record({
        date: fc.constant(date),
        rows: fc.array(settingsRow(fc.integer({ min: -1, max: 2 }).map((days) => plus(date, days))), { maxLength: 3 }),
        entries: entriesAround(date, 60_000),
      }),
    )
    fc.assert(
      fc.property(beginnings, ({ date, rows, entries }) => {
        expect(computeDay(entries, buildTimeline(rows), date)).toEqual(
          new NaiveAccount(entries, rows, MINUTE_MS).day(date),
        )
      }),
      { numRuns: 100 },
    )
  })

  test('[D3.5] [D3.10] the figures fit together, and work and breaks into the window', () => {
    fc.assert(
      fc.property(scene, ({ date, rows, entries }) => {
        const timeline = buildTimeline(rows)
        const day = computeDay(entries, timeline, date)
        const { worked_ms, break_ms, deducted_break_ms, credited_ms, target_ms } = day
        expect(day.delta_ms).toBe(worked_ms - deducted_break_ms + credited_ms - target_ms)
        expect(Math.min(worked_ms, break_ms, deducted_break_ms, credited_ms, target_ms)).toBeGreaterThanOrEqual(0)
        expect(deducted_break_ms).toBeLessThanOrEqual(worked_ms)
        expect(worked_ms + break_ms).toBeLessThanOrEqual(lengthOf(dayWindow(timeline, date)))
        for (const figure of Object.values(day)) expect(Object.is(figure, -0)).toBe(false)
      }),
      { numRuns: runsOf(100, 500) },
    )
  })

  test('[D3.5] figures do not depend on the order, splitting or duplication of entries', () => {
    const cut = fc.tuple(fc.nat(), fc.double({ min: 0, max: 1, noNaN: true }), fc.boolean())
    const shuffle = fc.infiniteStream(fc.nat())
    fc.assert(
      fc.property(scene, fc.array(cut, { maxLength: 6 }), shuffle, ({ date, rows, entries }, cuts, chance) => {
        const timeline = buildTimeline(rows)
        const others = [...entries]
        for (const [which, where, twice] of cuts) {
          const at = which % Math.max(1, others.length)
          const entry = others[at]
          const interval = entry && intervalOf(entry)
          if (!entry || !interval || !isTimed(entry)) continue
          const middle = interval.start + Math.floor(where * (interval.end - interval.start))
          const part = (from: number, to: number) => timed(entry.kind, from, to, isCounted(entry))
          others.splice(at, 1, part(interval.start, middle), part(middle, interval.end))
          if (twice) others.push(entry)
        }
        const keyed = others.map((entry) => ({ entry, key: chance.next().value as number }))
        const shuffled = keyed.sort((a, b) => a.key - b.key).map(({ entry }) => entry)
        expect(computeDay(shuffled, timeline, date)).toStrictEqual(computeDay(entries, timeline, date))
      }),
      { numRuns: runsOf(100, 500) },
    )
  })

  test('[D3.2] running, empty and distant entries do not change the figures', () => {
    fc.assert(
      fc.property(scene, fc.integer({ min: -48 * HOUR_MS, max: 48 * HOUR_MS }), ({ date, rows, entries }, offset) => {
        const timeline = buildTimeline(rows)
        const at = Date.parse(date) + offset
        const { start, end } = dayWindow(timeline, date)
        const idle = [
          timed('work', at, null),
          timed('break', at, null),
          timed('work', at, at),
          timed('break', at, at),
          timed('work', start - HOUR_MS, start),
          timed('work', end, end + HOUR_MS),
        ]
        expect(computeDay([...idle, ...entries], timeline, date)).toStrictEqual(computeDay(entries, timeline, date))
      }),
      { numRuns: runsOf(60, 300) },
    )
  })

  test('[D3.62] work that does not count changes nothing, whatever it overlaps', () => {
    fc.assert(
      fc.property(scene, ({ date, rows, entries }) => {
        const timeline = buildTimeline(rows)
        const counted = entries.filter(isCounted)
        expect(computeDay(entries, timeline, date)).toStrictEqual(computeDay(counted, timeline, date))
        const range = { from: plus(date, -4), to: plus(date, 4) }
        expect([...entriesByDate(entries, timeline, range).values()].flat().every(isCounted)).toBe(true)
      }),
      { numRuns: runsOf(60, 300) },
    )
  })

  test('[D3.15] time off in lieu changes nothing', () => {
    fc.assert(
      fc.property(scene, absence('2026-01-01'), ({ date, rows, entries }, some) => {
        const lieu: EntryContent = { ...some, kind: 'time_off_in_lieu', date }
        const timeline = buildTimeline(rows)
        expect(computeDay([...entries, lieu], timeline, date)).toStrictEqual(computeDay(entries, timeline, date))
      }),
      { numRuns: 200 },
    )
  })

  test('[D3.1] computeDay is pure: it repeats its result and changes no argument', () => {
    fc.assert(
      fc.property(scene, ({ date, rows, entries }) => {
        const timeline = buildTimeline(rows)
        const before = structuredClone([entries, timeline])
        const first = computeDay(entries, timeline, date)
        expect(computeDay(entries, timeline, date)).toStrictEqual(first)
        expect([entries, timeline]).toStrictEqual(before)
      }),
      { numRuns: 100 },
    )
  })

  test('[D3.4] across any changes of time zone every hour counts once', () => {
    fc.assert(
      fc.property(scene, ({ date, rows, entries }) => {
        const timeline = buildTimeline(rows)
        let counted = 0
        for (let days = -9; days <= 9; days += 1) counted += computeDay(entries, timeline, plus(date, days)).worked_ms
        expect(counted).toBe(coveredByWorkAlone(entries))
      }),
      { numRuns: runsOf(60, 300) },
    )
  })

  test('[D3.16] [D3.47] a date outside the account has no figures, no settings and the zone of the first row', () => {
    fc.assert(
      fc.property(scene, ({ date, rows, entries }) => {
        const timeline = buildTimeline(rows.map((row) => ({ ...row, effective_from: plus(date, 1) })))
        const { time_zone, ...figures } = computeDay(entries, timeline, date)
        expect(figures).toStrictEqual({ date, ...zeros, settings_id: null })
        expect(time_zone).toBe(timeline[0]?.time_zone)
        expect(computeDay(entries, [], date)).toStrictEqual({ date, time_zone: 'UTC', ...zeros, settings_id: null })
      }),
      { numRuns: 50 },
    )
  })
})

/** The length of all work without breaks, by walking from one edge of an entry to the next. */
function coveredByWorkAlone(entries: readonly EntryContent[]): number {
  const edges = entries.flatMap((entry) => {
    if (!isTimed(entry) || entry.ended_at === null || !isCounted(entry)) return []
    const { kind } = entry
    return [
      { at: Date.parse(entry.started_at), kind, step: 1 },
      { at: Date.parse(entry.ended_at), kind, step: -1 },
    ]
  })
  const open = { work: 0, break: 0 }
  let length = 0
  let last = 0
  for (const { at, kind, step } of edges.sort((a, b) => a.at - b.at)) {
    if (open.work > 0 && open.break === 0) length += at - last
    open[kind] += step
    last = at
  }
  return length
}

describe('sumFigures', () => {
  test('[D3.19] the figures of a week are the sums of those of its days', () => {
    const ms = fc.integer({ min: -(2 ** 40), max: 2 ** 40 })
    const day = fc.record({
      target_ms: ms,
      worked_ms: ms,
      break_ms: ms,
      deducted_break_ms: ms,
      credited_ms: ms,
      delta_ms: ms,
    })
    fc.assert(
      fc.property(fc.array(day, { maxLength: 7 }), (days) => {
        const week = sumFigures(days)
        for (const name of figureNames) {
          const sum = days.reduce((total, figures) => total + BigInt(figures[`${name}_ms`]), 0n)
          expect(BigInt(week[`${name}_ms`])).toBe(sum)
        }
      }),
    )
  })

  test('[D3.19] an empty week closes with its whole target as a negative delta', () => {
    const timeline = buildTimeline(rowsOf('berlin'))
    const week = sumFigures(datesOfWeek('2026-W47').map((date) => computeDay([], timeline, date)))
    expect(week).toStrictEqual({ ...zeros, target_ms: 40 * HOUR_MS, delta_ms: -40 * HOUR_MS })
  })

  test('[D3.19] a week has its own figures and nothing else of its days', () => {
    const day: DayFigures = { date: '2026-11-18', time_zone: 'UTC', ...zeros, settings_id: null }
    expect(sumFigures([day, day])).toStrictEqual(zeros)
    expect(sumFigures([])).toStrictEqual(zeros)
  })
})

describe('entriesByDate and affectedRange', () => {
  test('[D3.26] a day has the same figures from its own entries as from all, alone and among other days', () => {
    fc.assert(
      fc.property(scene, ({ date, rows, entries }) => {
        const timeline = buildTimeline(rows)
        const range = { from: plus(date, -4), to: plus(date, 4) }
        const byDate = entriesByDate(entries, timeline, range)
        const together = computeDays(accountEntriesOf(entries), timeline, range)
        expect(together).toStrictEqual([...datesIn(range)].map((day) => computeDay(entries, timeline, day)))
        for (let days = -4; days <= 4; days += 1) {
          const day = plus(date, days)
          expect(computeDay(byDate.get(day) ?? [], timeline, day)).toStrictEqual(computeDay(entries, timeline, day))
        }
        for (const day of byDate.keys()) expect(day >= range.from && day <= range.to).toBe(true)
      }),
      { numRuns: 150 },
    )
  })

  test('[D3.26] an entry changes only the figures of its affected range', () => {
    const sceneAndOneMore = scene.chain((some) =>
      fc.tuple(fc.constant(some), fc.oneof(timedEntry(some.date), absence(some.date))),
    )
    fc.assert(
      fc.property(sceneAndOneMore, ([{ date, rows, entries }, entry]) => {
        const timeline = buildTimeline(rows)
        const named = affectedRange(entry, timeline)
        for (let days = -8; days <= 8; days += 1) {
          const day = plus(date, days)
          if (named && day >= named.from && day <= named.to) continue
          expect(computeDay([...entries, entry], timeline, day)).toStrictEqual(computeDay(entries, timeline, day))
        }
      }),
      { numRuns: 150 },
    )
  })

  test('[D3.26] a running or empty entry has no affected range', () => {
    const timeline = buildTimeline(rowsOf('berlin'))
    const at = epochMs('2026-11-18T08:00:00.000Z')
    expect(affectedRange(timed('work', at, null), timeline)).toBeUndefined()
    expect(affectedRange(timed('work', at, at), timeline)).toBeUndefined()
    expect(affectedRange(timed('break', at, at + 1), timeline)).toStrictEqual({ from: '2026-11-18', to: '2026-11-18' })
  })

  test('[D3.26] the affected range of an entry ends with the year 9999', () => {
    const rows = rowsOf('kiritimati, then pago pago').slice(0, 1)
    const entry = timed('work', epochMs('2026-11-18T08:00:00.000Z'), epochMs('9999-12-31T23:59:59.999Z'))
    expect(affectedRange(entry, buildTimeline(rows))).toStrictEqual({ from: '2026-11-18', to: '9999-12-31' })
    const range: DateRange = { from: '2026-11-17', to: '2026-11-19' }
    expect([...entriesByDate([entry], buildTimeline(rows), range).keys()]).toStrictEqual(['2026-11-18', '2026-11-19'])
  })
})
