import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readFixture } from '../test/fixtures.ts'
import { runsOf } from '../test/tier.ts'
import { datesIn } from './date-range.ts'
import type { AbsenceContent } from './entry.ts'
import {
  changedHolidayRanges,
  GENERATED_AT,
  HOLIDAYS_SOURCE,
  type HolidayRule,
  type HolidaySettings,
  type HolidaySituation,
  holidayId,
  holidaysIn,
  holidaysUnder,
  isUntouchedHoliday,
  type KnownDay,
  type KnownDays,
  planHolidays,
  type StoredHoliday,
} from './holidays.ts'
import { buildTimeline } from './timeline.ts'
import type { LocalDate, RecordId, UserNumber } from './values.ts'

const rule = (country: string, partial = {}): HolidayRule => ({ country, state: null, region: null, partial })
const day = (date: LocalDate, share = 1, isPublic = true): KnownDay => ({ date, share, isPublic, name: `day ${date}` })

/** Two countries: AA with the 1st and the 6th of January, BB with the 6th and half of the 9th. */
const known: KnownDays = ({ country }, year) => {
  if (country === 'AA') return [day(`${year}-01-01` as LocalDate), day(`${year}-01-06` as LocalDate)]
  if (country === 'BB') return [day(`${year}-01-06` as LocalDate), day(`${year}-01-09` as LocalDate, 0.5)]
  return []
}

interface Vectors {
  'holidays/generated': {
    ids: { user: UserNumber; date: LocalDate; id: RecordId }[]
    cases: {
      name: string
      rule: HolidayRule
      from: LocalDate
      to: LocalDate
      known: KnownDay[]
      entries: { date: LocalDate; day_share: number; note: string; import_ref: string }[]
    }[]
  }
}
const { ids, cases } = readFixture<Vectors['holidays/generated']>('holidays/generated')

test.each(cases)('[D16.4] [D16.7] [D16.9] $name', ({ rule, from, to, known, entries }) => {
  const ofYear: KnownDays = (_, year) => known.filter(({ date }) => date.startsWith(String(year)))
  const plain = { kind: 'public_holiday', amount_ms: null, time_zone: null, tags: [], project: null }
  expect([...holidaysUnder(rule, { from, to }, ofYear).values()]).toEqual(
    entries.map((entry) => ({ ...plain, source: 'holidays', ...entry })),
  )
})

test.each(ids)('[D16.4] the holiday of $date of user $user has one id', ({ user, date, id }) => {
  expect(holidayId(user, date)).toBe(id)
})

const row = (effective_from: LocalDate, holidays: HolidayRule | null): HolidaySettings => ({
  id: `00000000-0000-4000-8000-0000000${effective_from.replaceAll('-', '').slice(3)}` as RecordId,
  effective_from,
  time_zone: 'UTC',
  target_ms: [0, 0, 0, 0, 0, 0, 0],
  break_policy: null,
  auto_close: null,
  holidays,
})

test('[D16.2] each date has the holidays of the row in force on it', () => {
  const timeline = buildTimeline([row('2026-01-03', rule('AA')), row('2027-01-08', rule('BB'))])
  const dates = [...holidaysIn(timeline, { from: '2025-01-01', to: '2027-12-31' }, known).keys()].sort()
  expect(dates).toEqual(['2026-01-06', '2027-01-01', '2027-01-06', '2027-01-09'])
})

test('[D16.2] the holidays of a row end where the next one applies, also if that has none', () => {
  const datesOf = (rows: HolidaySettings[], from: LocalDate, to: LocalDate) =>
    [...holidaysIn(buildTimeline(rows), { from, to }, known).keys()].sort()
  const rows = [row('2026-01-01', rule('AA')), row('2026-01-06', null)]
  expect(datesOf(rows, '2025-01-01', '2027-12-31')).toEqual(['2026-01-01'])
  expect(datesOf(rows.slice(0, 1), '2026-01-01', '2026-01-06')).toEqual(['2026-01-01', '2026-01-06'])
  expect(datesOf(rows.slice(0, 1), '2026-01-02', '2026-01-05')).toEqual([])
})

test('[D16.11] a holiday is untouched while it has the source and the time of those that are generated', () => {
  const generated = { source: HOLIDAYS_SOURCE, updated_at: GENERATED_AT }
  const edited = '2026-01-01T00:00:00.000Z' as const
  expect(isUntouchedHoliday(generated)).toBe(true)
  expect(isUntouchedHoliday({ ...generated, source: 'csv-1' })).toBe(false)
  expect(isUntouchedHoliday({ ...generated, updated_at: edited })).toBe(false)
})

test('[D16.2] the ranges of a change are those on which another rule is in force, with the rule before', () => {
  const [first, same] = [row('2026-01-01', rule('AA')), row('2026-06-01', rule('AA', { '12-24': 0.5 }))]
  const of = (before: HolidaySettings[], after: HolidaySettings[]) =>
    changedHolidayRanges(buildTimeline(before), buildTimeline(after))
  expect(of([], [first])).toEqual([{ from: '2026-01-01', to: '9999-12-31', before: null }])
  expect(of([first], [first, { ...row('2026-06-01', rule('AA')), time_zone: 'Asia/Tokyo' }])).toEqual([])
  expect(of([first, same], [{ ...first, holidays: null }, same])).toEqual([
    { from: '2026-01-01', to: '2026-05-31', before: rule('AA') },
  ])
  expect(of([row('2026-01-01', null)], [])).toEqual([])
})

const contentOn = (date: LocalDate, country: string) =>
  holidaysUnder(rule(country, { [date.slice(5)]: 1 }), { from: date, to: date }, known).get(date) as AbsenceContent

/** Decides one date by itself, rule by rule. Returns what is stored in the end. */
function naively(date: LocalDate, situation: HolidaySituation): AbsenceContent | null {
  const { today, holidays, holidaysBefore, stored, handMade } = situation
  const is = stored.get(date)
  const has = is?.content ?? null
  if (is && !is.isUntouched) return has
  if (handMade.has(date)) return null
  const wanted = holidays.get(date) ?? null
  if (date >= today || !holidaysBefore) return wanted
  return JSON.stringify(wanted) === JSON.stringify(holidaysBefore.get(date) ?? null) ? has : wanted
}

const dates = [...datesIn({ from: '2026-01-01', to: '2026-01-06' })]
const someDates = <T>(values: fc.Arbitrary<T>) =>
  fc.uniqueArray(fc.tuple(fc.constantFrom(...dates), values), { selector: ([date]) => date }).map((all) => new Map(all))
const holidaysOnSome = someDates(fc.constantFrom('AA', 'BB')).map(
  (all) => new Map([...all].map(([date, country]) => [date, contentOn(date, country)])),
)
const storedOnSome = someDates(fc.tuple(fc.boolean(), fc.constantFrom('AA', 'CC', null))).map(
  (all) =>
    new Map(
      [...all].map(([date, [isUntouched, country]]): [LocalDate, StoredHoliday] => {
        return [date, { isUntouched, content: country === null ? null : contentOn(date, country) }]
      }),
    ),
)
const situations: fc.Arbitrary<HolidaySituation> = fc.record({
  today: fc.constantFrom(...dates),
  holidays: holidaysOnSome,
  holidaysBefore: fc.option(holidaysOnSome, { nil: undefined }),
  stored: storedOnSome,
  handMade: fc.uniqueArray(fc.constantFrom(...dates)).map((all) => new Set(all)),
})

/** Returns a situation after its plan was carried out. */
function carryOut(situation: HolidaySituation): HolidaySituation {
  const plan = planHolidays(situation)
  const done = [...plan].map(([date, content]): [LocalDate, StoredHoliday] => [date, { isUntouched: true, content }])
  return { ...situation, stored: new Map([...situation.stored, ...done]) }
}

describe('the plan', () => {
  test('[D16.6] [D16.8] [D16.10] [D16.11] leaves each date as a naive decision about it alone', () => {
    fc.assert(
      fc.property(situations, (situation) => {
        const after = carryOut(situation)
        for (const date of dates) {
          expect(after.stored.get(date)?.content ?? null, date).toEqual(naively(date, situation))
        }
      }),
      { numRuns: runsOf(200, 1_000) },
    )
  })

  test('[D16.5] is empty once it was carried out, and names nothing that a person edited or deleted', () => {
    fc.assert(
      fc.property(situations, (situation) => {
        const plan = planHolidays(situation)
        for (const date of plan.keys()) expect(situation.stored.get(date)?.isUntouched ?? true).toBe(true)
        expect(planHolidays(carryOut(situation)).size).toBe(0)
      }),
    )
  })

  test('[D16.11] of the past changes only what a change of rules changes, and all of what comes', () => {
    const situation: HolidaySituation = {
      today: '2026-01-04',
      holidays: new Map([['2026-01-01', contentOn('2026-01-01', 'AA')]]),
      holidaysBefore: new Map([['2026-01-01', contentOn('2026-01-01', 'AA')]]),
      stored: new Map([
        ['2026-01-02', { isUntouched: true, content: contentOn('2026-01-02', 'CC') }],
        ['2026-01-05', { isUntouched: true, content: contentOn('2026-01-05', 'CC') }],
      ]),
      handMade: new Set(),
    }
    expect([...planHolidays(situation)]).toEqual([['2026-01-05', null]])
  })
})
