import {
  addDays,
  type ContentInput,
  type DurationMs,
  datesIn,
  derivedId,
  type EpochMs,
  firstInstant,
  HOUR_MS,
  holidaysUnder,
  type Instant,
  instantOf,
  itemAt,
  type KnownDays,
  type LocalDate,
  MINUTE_MS,
  type RecordId,
  weekdayIndex,
  weekOf,
} from '@saldo/core'
import type { RandomNumbers } from './random-numbers.ts'

const ZONE = 'Europe/Berlin'
/** Vacation is planned this many weeks ahead. */
const PLANNED_DAYS = 70
const holidays = { country: 'DE', state: 'BE', region: null, partial: { '12-24': 0.5, '12-31': 0.5 } }

/** A record of the demo account, with the fields that a client writes. */
export type DemoRecord =
  | { kind: 'entries'; id: RecordId; content: ContentInput<'entries'> }
  | { kind: 'settings_history'; id: RecordId; content: ContentInput<'settings_history'> }
  | { kind: 'balance_adjustments'; id: RecordId; content: ContentInput<'balance_adjustments'> }

/**
 * Returns the records of a demo account: a person in Berlin with about a year of work up to `nowMs`, one entry of which
 * is running if they work at that time, and absences up to ten weeks ahead. The same time, holidays and random numbers
 * give the same records.
 */
export function demoAccount(nowMs: EpochMs, knownDays: KnownDays, random: RandomNumbers): DemoRecord[] {
  const now = Temporal.Instant.fromEpochMilliseconds(nowMs).toZonedDateTimeISO(ZONE).toPlainDate()
  const dateOf = (date: Temporal.PlainDate) => date.toString() as LocalDate
  const first = now.subtract({ months: 12 }).with({ day: 1 })
  const [today, from, shorterFrom] = [dateOf(now), dateOf(first), dateOf(first.add({ months: 7 }))]
  const range = { from, to: addDays(today, PLANNED_DAYS) }
  const holidaysByDate = holidaysUnder(holidays, range, knownDays)
  const entries = [...datesIn(range)].flatMap((date) => {
    const freeShare = holidaysByDate.get(date)?.day_share ?? 0
    const plannedMs = (1 - freeShare) * itemAt(targetMs(date >= shorterFrom), weekdayIndex(date))
    const absence = plannedMs > 0 ? absenceOn(date) : undefined
    if (date > today) return absence?.kind === 'vacation' ? [absence] : []
    const absentMs = absence ? (absence.amount_ms ?? plannedMs) : 0
    const timed = [...workOn(date, plannedMs - absentMs, random), ...privateTimeOn(date)]
    return [...(absence ? [absence] : []), ...timed.flatMap((entry) => untilNow(entry, nowMs))]
  })
  return [
    ...entries.map((content, index) => entry(`entry/${index}`, content)),
    entry('grant', { kind: 'vacation_grant', date: from, days: 2, note: 'Carried over' }),
    adjustment('opening', { effective_date: from, delta_ms: 6.5 * HOUR_MS, kind: 'opening', reason: 'Old time sheet' }),
    adjustment('payout', { effective_date: shorterFrom, delta_ms: -10 * HOUR_MS, kind: 'payout', reason: 'Paid out' }),
    settings('first', { effective_from: from, target_ms: targetMs(false) }),
    settings('shorter', { effective_from: shorterFrom, target_ms: targetMs(true), note: 'Friday afternoons off' }),
  ]
}

type TimedInput = Extract<ContentInput<'entries'>, { started_at: string }>
type AbsenceInput = Exclude<ContentInput<'entries'>, TimedInput | { kind: 'vacation_grant' | 'request' }>

interface Absence {
  /** 0 is Monday. */
  weekdays: readonly number[]
  kind: AbsenceInput['kind']
  /** The whole day without it. */
  amount_ms?: DurationMs
  note?: string
}

const wholeWeek = [0, 1, 2, 3, 4]
/** The absences of every year by the number of their ISO week. */
const absencesByWeek: Readonly<Record<number, Absence>> = {
  1: { weekdays: wholeWeek, kind: 'vacation' },
  6: { weekdays: [1, 2, 3], kind: 'sick' },
  9: { weekdays: [2], kind: 'paid_other', amount_ms: 1.5 * HOUR_MS, note: 'Dentist' },
  15: { weekdays: wholeWeek, kind: 'vacation' },
  20: { weekdays: [4], kind: 'vacation' },
  24: { weekdays: [2], kind: 'time_off_in_lieu' },
  31: { weekdays: wholeWeek, kind: 'vacation', note: 'Denmark' },
  32: { weekdays: wholeWeek, kind: 'vacation', note: 'Denmark' },
  36: { weekdays: [3, 4], kind: 'sick' },
  42: { weekdays: [3, 4], kind: 'vacation' },
  47: { weekdays: [0], kind: 'sick' },
  52: { weekdays: wholeWeek, kind: 'vacation' },
}

function absenceOn(date: LocalDate): AbsenceInput | undefined {
  const absence = absencesByWeek[Number(weekOf(date).slice(6))]
  if (!absence?.weekdays.includes(weekdayIndex(date))) return undefined
  const { kind, note, amount_ms } = absence
  return { kind, date, note, ...(amount_ms !== undefined && { amount_ms }) }
}

const activities = [
  { project: 'Northwind', tags: ['client'], note: 'Design of the order form' },
  { project: 'Northwind', tags: ['client', 'meeting'], note: 'Review with the client' },
  { project: 'Northwind', tags: ['client'], note: 'Accessibility of the checkout' },
  { project: 'Atlas', tags: ['client'], note: 'Map tiles' },
  { project: 'Atlas', tags: ['client', 'remote'], note: 'Search by address' },
  { project: 'Atlas', tags: ['client'], note: '' },
  { project: 'Internal', tags: ['meeting'], note: 'Planning' },
  { project: 'Internal', tags: [], note: 'Mail and reviews' },
] as const

/** Returns a day's work and its lunch break, to five minutes; nothing if no work is planned. */
function workOn(date: LocalDate, plannedMs: number, random: RandomNumbers): TimedInput[] {
  if (plannedMs <= 0) return []
  const start = random.between(93, 110)
  const length = Math.max(12, plannedMs / STEP_MS + random.between(-9, 11))
  const piece = (kind: TimedInput['kind'], from: number, to: number): TimedInput => {
    const times = { started_at: timeOf(date, from), ended_at: timeOf(date, to), time_zone: ZONE }
    if (kind === 'break') return { kind, ...times }
    const { project, tags, note } = random.oneOf(activities)
    return { kind, ...times, project, tags: [...tags], note }
  }
  if (length <= LONGEST_WITHOUT_LUNCH) return [piece('work', start, start + length)]
  const meeting = start + random.between(9, 18)
  const lunch = start + random.between(42, 54)
  const afternoon = lunch + random.between(6, 12)
  const end = afternoon + length - (lunch - start)
  return [
    piece('work', start, meeting),
    piece('work', meeting, lunch),
    piece('break', lunch, afternoon),
    piece('work', afternoon, end),
  ]
}

/** The first Saturday of each month has time that does not count. */
function privateTimeOn(date: LocalDate): TimedInput[] {
  if (weekdayIndex(date) !== 5 || Number(date.slice(8)) > 7) return []
  const times = { started_at: timeOf(date, 120), ended_at: timeOf(date, 144), time_zone: ZONE }
  return [{ kind: 'work', ...times, counts: false, tags: ['volunteering'], note: 'Repair café' }]
}

/** Returns an entry that has begun, without its end if that is still to come. */
function untilNow(entry: TimedInput, nowMs: EpochMs): TimedInput[] {
  const now = instantOf(nowMs)
  if (entry.started_at > now) return []
  return [entry.ended_at != null && entry.ended_at > now ? { ...entry, ended_at: null } : entry]
}

const STEP_MS = 5 * MINUTE_MS
const LONGEST_WITHOUT_LUNCH = (5 * HOUR_MS) / STEP_MS

/** Returns the instant of a local time, in steps of five minutes. Berlin changes its clocks on Sundays only. */
function timeOf(date: LocalDate, step: number): Instant {
  return instantOf(firstInstant(date, ZONE) + step * STEP_MS)
}

function targetMs(isShorter: boolean): number[] {
  return [8, 8, 8, 8, isShorter ? 4 : 8, 0, 0].map((hours) => hours * HOUR_MS)
}

function entry(name: string, content: ContentInput<'entries'>): DemoRecord {
  return { kind: 'entries', id: derivedId('demo', name), content }
}

function adjustment(name: string, content: ContentInput<'balance_adjustments'>): DemoRecord {
  return { kind: 'balance_adjustments', id: derivedId('demo', name), content }
}

function settings(
  name: string,
  own: Pick<ContentInput<'settings_history'>, 'effective_from' | 'target_ms' | 'note'>,
): DemoRecord {
  const content: ContentInput<'settings_history'> = {
    time_zone: ZONE,
    // § 4 ArbZG.
    break_policy: {
      rules: [
        { worked_above_ms: 6 * HOUR_MS, required_ms: 30 * MINUTE_MS },
        { worked_above_ms: 9 * HOUR_MS, required_ms: 45 * MINUTE_MS },
      ],
      min_piece_ms: 15 * MINUTE_MS,
    },
    auto_close: { day_after_ms: 12 * HOUR_MS, week_after_days: 2 },
    hints: 'de',
    holidays,
    vacation: { days_per_year: 30, carry_over_until: '03-31' },
    limits: { green_ms: 15 * HOUR_MS, yellow_ms: 30 * HOUR_MS, period_ends: ['12-31'], keep_at_most_ms: 40 * HOUR_MS },
    ...own,
  }
  return { kind: 'settings_history', id: derivedId('demo', `settings/${name}`), content }
}
