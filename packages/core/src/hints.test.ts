import { describe, expect, test } from 'vitest'
import { timed } from '../test/arbitraries.ts'
import { dayHints, type HintSettings, longestDayReachedAt, weekHint } from './hints.ts'
import { parseContent } from './record.ts'
import { buildTimeline } from './timeline.ts'
import { HOUR_MS, type LocalDate, MINUTE_MS } from './values.ts'

const row: HintSettings = {
  id: '00000000-0000-4000-8000-000000000001',
  effective_from: '2026-01-01',
  time_zone: 'Europe/Berlin',
  target_ms: [8, 8, 8, 8, 8, 0, 0].map((hours) => hours * HOUR_MS),
  break_policy: null,
  auto_close: null,
  hints: 'de',
  core_time: null,
  frame: null,
}
const timelineOf = (changed: Partial<HintSettings>) => buildTimeline([{ ...row, ...changed }])

const MONDAY = '2026-11-16'

/** An instant of a local time such as `07:43`, on a later day with a `+1` behind it. */
function at(text: string, date: LocalDate = MONDAY): number {
  const [time = '', days = '0'] = text.split('+')
  const local = Temporal.PlainDate.from(date)
    .add({ days: Number(days) })
    .toPlainDateTime(time)
  return local.toZonedDateTime('Europe/Berlin').epochMilliseconds
}

const work = (from: string, to: string) => timed('work', at(from), at(to))
const pause = (from: string, to: string) => timed('break', at(from), at(to))

function absence(kind: 'public_holiday' | 'sick', date: LocalDate = MONDAY) {
  const parsed = parseContent('entries', { kind, date })
  if (!parsed.ok) throw new Error('not an absence')
  return parsed.value
}

/** The hints of a date as `code minutes`. */
function hintsOf(
  entries: Parameters<typeof dayHints>[0],
  changed: Partial<HintSettings> = {},
  date: LocalDate = MONDAY,
) {
  return dayHints(entries, timelineOf(changed), date).map(({ code, amountMs }) => `${code} ${amountMs / MINUTE_MS}`)
}

describe('dayHints', () => {
  test.each([
    ['de', '08:00', '18:00', []],
    ['de', '08:00', '18:01', ['long_day 601']],
    ['at', '08:00', '20:00', []],
    ['at', '08:00', '20:01', ['long_day 721']],
    ['ch', '06:00', '21:00', []],
  ] as const)('[D14.3] in %s, a day from %s to %s is long: %j', (hints, from, to, expected) => {
    // The break is worked at the end, so that the length stays.
    const atEnd = timed('work', at(to), at(to) + 45 * MINUTE_MS)
    const entries = [work(from, '12:00'), pause('12:00', '12:45'), work('12:45', to), atEnd]
    expect(hintsOf(entries, { hints }).filter((hint) => hint.startsWith('long_day'))).toEqual(expected)
  })

  test('[D3.62] work that does not count gives no hint and is no break', () => {
    const onCall = timed('work', at('18:00'), at('06:00+1'), false)
    expect(hintsOf([work('08:00', '13:00'), pause('13:00', '13:45'), work('13:45', '17:00'), onCall])).toEqual([])
    const errand = timed('work', at('12:00'), at('12:45'), false)
    expect(hintsOf([work('08:00', '16:00'), errand])).toEqual(['missing_break 30'])
  })

  test('[D14.3] 8:30 to 19:10 with 45 minutes of break are 9:55 hours and need no hint', () => {
    expect(hintsOf([work('08:30', '13:00'), pause('13:00', '13:45'), work('13:45', '19:10')])).toEqual([])
  })

  test('[D14.3] a deducted break is no part of a long day', () => {
    const policy = { rules: [{ worked_above_ms: 9 * HOUR_MS, required_ms: 45 * MINUTE_MS }], min_piece_ms: 0 }
    expect(hintsOf([work('08:30', '19:10')], { break_policy: policy })).toEqual(['missing_break 45'])
  })

  test.each([
    // By the work without the break, not by the time at work.
    ['de', '07:43', '16:44', ['missing_break 30']],
    ['de', '08:00', '14:00', []],
    ['de', '08:00', '14:10', ['missing_break 10']],
    ['de', '08:00', '18:00', ['missing_break 45']],
    ['at', '07:43', '16:44', ['missing_break 30']],
    ['ch', '08:00', '13:45', ['missing_break 15']],
    ['ch', '08:00', '18:00', ['missing_break 60']],
  ] as const)('[D14.3] in %s, work from %s to %s without a break lacks: %j', (hints, from, to, expected) => {
    expect(hintsOf([work(from, to)], { hints })).toEqual(expected)
  })

  test('[D14.3] breaks count from 15 minutes in Germany and from 10 in Austria', () => {
    const entries = [work('08:00', '11:00'), work('11:10', '13:10'), work('13:20', '15:20'), work('15:30', '17:00')]
    expect(hintsOf(entries)).toEqual(['missing_break 30'])
    expect(hintsOf(entries, { hints: 'at' })).toEqual([])
  })

  test('[D14.3] less than 11 hours of rest since the last work are short, over midnight and clock changes too', () => {
    const evening = work('18:00', '22:00')
    expect(hintsOf([evening, work('09:00+1', '10:00+1')], {}, '2026-11-17')).toEqual([])
    expect(hintsOf([evening, work('08:59+1', '10:00+1')], {}, '2026-11-17')).toEqual(['short_rest 659'])
    const late = [work('20:00', '23:50'), work('00:10+1', '00:30+1'), work('11:00+1', '12:00+1')]
    expect(hintsOf(late, {}, '2026-11-17')).toEqual(['short_rest 630'])
    expect(hintsOf(late)).toEqual([])
    const clocks = (from: string, to: string, date: LocalDate) => timed('work', at(from, date), at(to, date))
    const spring = [clocks('18:00', '22:00', '2026-03-28'), clocks('09:30', '10:00', '2026-03-29')]
    expect(hintsOf(spring, {}, '2026-03-29')).toEqual(['short_rest 630', 'sunday_work 30'])
    const autumn = [clocks('18:00', '22:00', '2026-10-24'), clocks('08:00', '09:00', '2026-10-25')]
    expect(hintsOf(autumn, {}, '2026-10-25')).toEqual(['sunday_work 60'])
  })

  test('[D14.3] a free afternoon between two parts of a day is no rest between days', () => {
    expect(hintsOf([work('08:00', '11:00'), work('16:00', '19:00')])).toEqual([])
  })

  test.each([
    ['de', '22:00', '00:30+1', []],
    ['de', '22:00', '01:30+1', ['night_work 150']],
    ['de', '22:00', '01:00+1', []],
    ['de', '04:00', '08:00', []],
    ['de', '03:59', '08:00', ['night_work 121']],
    ['at', '22:00', '00:59+1', []],
    ['at', '22:00', '01:00+1', ['night_work 180']],
    ['ch', '22:00', '23:01', ['night_work 1']],
    ['ch', '20:00', '23:00', []],
  ] as const)('[D14.3] in %s, work from %s to %s at night: %j', (hints, from, to, expected) => {
    expect(hintsOf([work(from, to)], { hints })).toEqual(expected)
  })

  test('[D14.3] work on Sundays and public holidays has a hint, work on Saturdays and while sick has none', () => {
    const on = (date: LocalDate) => [timed('work', at('10:00', date), at('11:00', date))]
    expect(hintsOf(on('2026-11-22'), {}, '2026-11-22')).toEqual(['sunday_work 60'])
    expect(hintsOf(on('2026-11-21'), {}, '2026-11-21')).toEqual([])
    expect(hintsOf([...on(MONDAY), absence('public_holiday')])).toEqual(['holiday_work 60'])
    expect(hintsOf([...on(MONDAY), absence('sick')])).toEqual([])
  })

  test('[D14.3] work outside the frame and missed core time have hints', () => {
    const frame = { from: '07:00', to: '19:00' }
    expect(hintsOf([work('06:30', '08:00'), work('18:00', '19:15')], { hints: null, frame })).toEqual([
      'outside_frame 45',
    ])
    expect(hintsOf([work('07:00', '19:00')], { hints: null, frame })).toEqual([])
    const core_time = { from: '10:00', to: '15:00' }
    const missed = (entries: Parameters<typeof dayHints>[0], date?: LocalDate) =>
      hintsOf(entries, { hints: null, core_time }, date)
    expect(missed([work('09:00', '12:00'), work('13:00', '15:00')])).toEqual([])
    expect(missed([work('10:20', '14:30')])).toEqual(['core_time_missed 50'])
    expect(missed([])).toEqual([])
    expect(missed([work('10:20', '14:30'), absence('sick')])).toEqual([])
    expect(missed([work('10:20+5', '14:30+5')], '2026-11-21')).toEqual([])
  })

  test('[D14.3] there are no hints without rules, of running work, and outside the account', () => {
    expect(hintsOf([work('06:00', '23:00')], { hints: null })).toEqual([])
    expect(hintsOf([timed('work', at('06:00'), null)])).toEqual([])
    expect(hintsOf([work('06:00', '23:00')], { effective_from: '2026-11-17' })).toEqual([])
  })
})

describe('weekHint', () => {
  const hours = (count: number, each: number) => Array<number>(count).fill(each * HOUR_MS)

  test.each([
    ['de', 24],
    ['at', 17],
  ] as const)('[D14.4] in %s, more than 48 hours on average over %i weeks have a hint', (country, weeks) => {
    expect(weekHint(country, hours(weeks, 48))).toBeUndefined()
    const averageMs = Math.round((48 + 1 / weeks) * HOUR_MS)
    expect(weekHint(country, [49 * HOUR_MS, ...hours(weeks - 1, 48)])).toEqual({
      averageMs,
      weeks,
      limitMs: 48 * HOUR_MS,
    })
    expect(weekHint(country, [480 * HOUR_MS, ...hours(weeks, 48)])).toBeUndefined()
  })

  test('[D14.4] a young account has the average of its weeks', () => {
    expect(weekHint('de', hours(2, 50))).toEqual({ averageMs: 50 * HOUR_MS, weeks: 2, limitMs: 48 * HOUR_MS })
    expect(weekHint('de', [])).toBeUndefined()
  })

  test('[D14.4] in Switzerland, a week of more than 45 hours has a hint', () => {
    expect(weekHint('ch', hours(9, 45))).toBeUndefined()
    expect(weekHint('ch', [0, 46 * HOUR_MS])).toMatchObject({ averageMs: 46 * HOUR_MS, weeks: 1 })
  })
})

test('[D14.5] running work tells when it reaches the longest day', () => {
  const nowMs = at('17:12')
  expect(longestDayReachedAt({ hints: 'de' }, 9 * HOUR_MS, nowMs)).toEqual({ limitMs: 10 * HOUR_MS, atMs: at('18:12') })
  expect(longestDayReachedAt({ hints: 'at' }, 9 * HOUR_MS, nowMs)?.limitMs).toBe(12 * HOUR_MS)
  expect(longestDayReachedAt({ hints: 'de' }, 10 * HOUR_MS, nowMs)).toBeUndefined()
  expect(longestDayReachedAt({ hints: 'ch' }, 0, nowMs)).toBeUndefined()
  expect(longestDayReachedAt({ hints: null }, 0, nowMs)).toBeUndefined()
})
