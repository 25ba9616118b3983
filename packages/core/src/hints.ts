import { coveredBy } from './account-function.ts'
import { type BreakPolicy, deductedBreakOf, SHIFT_GAP_MS } from './breaks.ts'
import { addDays, weekdayIndex } from './date.ts'
import { type EntryContent, isAbsence } from './entry.ts'
import { clip, type DisjointIntervals, difference, type Interval, totalLength, union, within } from './interval.ts'
import type { Settings } from './settings.ts'
import { type AccountSettings, dateAt, dayWindow, plannedUnder, settingsOn, type Timeline, zoneOn } from './timeline.ts'
import { DAY_MS, type DurationMs, type EpochMs, HOUR_MS, type LocalDate, MINUTE_MS } from './values.ts'
import type { ZoneName } from './zone.ts'

/** The countries whose working-time law has hints. */
export type HintCountry = NonNullable<Settings['hints']>

const rule = (aboveHours: number, minutes: number) => ({
  worked_above_ms: aboveHours * HOUR_MS,
  required_ms: minutes * MINUTE_MS,
})

/**
 * The legal minimum of breaks: Germany § 4 ArbZG, pieces from 15 minutes; Austria § 11 AZG, pieces from 10 minutes;
 * Switzerland Art. 15 ArG, pieces from 15 minutes.
 */
export const statutoryBreaks: Record<HintCountry, BreakPolicy> = {
  de: { rules: [rule(6, 30), rule(9, 45)], min_piece_ms: 15 * MINUTE_MS },
  at: { rules: [rule(6, 30)], min_piece_ms: 10 * MINUTE_MS },
  ch: { rules: [rule(5.5, 15), rule(7, 30), rule(9, 60)], min_piece_ms: 15 * MINUTE_MS },
}

/**
 * The longest day: Germany § 3 ArbZG, Austria § 9 AZG. Switzerland limits the week, and a day only to a span of 14
 * hours.
 */
const longestDayMs: Record<HintCountry, DurationMs | undefined> = { de: 10 * HOUR_MS, at: 12 * HOUR_MS, ch: undefined }

/** The rest between two days: § 5 ArbZG, § 12 AZG, Art. 15a ArG. */
const REST_MS = 11 * HOUR_MS

/** Night and how much of it makes night work: § 2 ArbZG more than 2 h, § 12a AZG 3 h, Art. 10 and 16 ArG any. */
const nights: Record<HintCountry, { from: string; to: string; isWork: (ms: DurationMs) => boolean }> = {
  de: { from: '23:00', to: '06:00', isWork: (ms) => ms > 2 * HOUR_MS },
  at: { from: '22:00', to: '05:00', isWork: (ms) => ms >= 3 * HOUR_MS },
  ch: { from: '23:00', to: '06:00', isWork: (ms) => ms > 0 },
}

/**
 * The longest week on average over some weeks: § 3 ArbZG (8 hours on each of six days, over 24 weeks), § 9 AZG (17
 * weeks). In Switzerland Art. 9 ArG limits each week: 45 hours in offices and industry, 50 hours for others.
 */
const longestWeek: Record<HintCountry, { weeks: number; limitMs: DurationMs }> = {
  de: { weeks: 24, limitMs: 48 * HOUR_MS },
  at: { weeks: 17, limitMs: 48 * HOUR_MS },
  ch: { weeks: 1, limitMs: 45 * HOUR_MS },
}

/** The hints about a day, by working-time law or by the user's frame and core time (D2.33). */
export const dayHintCodes = [
  'long_day',
  'missing_break',
  'short_rest',
  'night_work',
  'sunday_work',
  'holiday_work',
  'outside_frame',
  'core_time_missed',
] as const
/** One of `dayHintCodes`. */
export type DayHintCode = (typeof dayHintCodes)[number]

/** Something on a day that working-time law or the agreed hours may not allow. It is no legal advice. */
export interface DayHint {
  code: DayHintCode
  /** The work of a long day, the missing break, the rest, or the work at night, on the day off or outside the frame. */
  amountMs: DurationMs
}

/** The fields of a settings row that hints read. */
export type HintSettings = AccountSettings & Pick<Settings, 'hints' | 'core_time' | 'frame'>

/**
 * Returns the hints of a date (D14.3), in the order of `dayHintCodes`. `entries` include those of the days before and
 * after. Running entries count nothing.
 */
export function dayHints(
  entries: readonly EntryContent[],
  timeline: Timeline<HintSettings>,
  date: LocalDate,
): DayHint[] {
  const settings = settingsOn(timeline, date)
  if (!settings) return []
  const { hints: country, core_time, frame } = settings
  const window = dayWindow(timeline, date)
  const around = { start: window.start - 3 * DAY_MS, end: window.end + 3 * DAY_MS }
  const breaks = coveredBy('break', entries, around)
  const work = difference(coveredBy('work', entries, around), breaks)
  const inDay = within(work, window)
  const absences = entries.filter((entry) => isAbsence(entry) && entry.date === date)
  const found: Partial<Record<DayHintCode, DurationMs>> = {}
  if (country) {
    const inBreak = within(breaks, window)
    const deductedMs = deductedBreakOf(settings.break_policy, inDay, inBreak, window)
    const netWorkMs = totalLength(inDay) - deductedMs
    const isHoliday = absences.some(({ kind }) => kind === 'public_holiday')
    found.long_day = netWorkMs > (longestDayMs[country] ?? Number.POSITIVE_INFINITY) ? netWorkMs : 0
    found.missing_break = deductedBreakOf(statutoryBreaks[country], inDay, inBreak, window)
    found.short_rest = shortRest(work, timeline, date)
    found.night_work = nightWork(work, timeline, date, country)
    found.sunday_work = weekdayIndex(date) === 6 && !isHoliday ? netWorkMs : 0
    found.holiday_work = isHoliday ? netWorkMs : 0
  }
  const zone = zoneOn(timeline, date)
  if (frame) found.outside_frame = totalLength(difference(inDay, [clip(intervalBetween(date, frame, zone), window)]))
  if (core_time && absences.length === 0 && plannedUnder(settings, date) > 0) {
    found.core_time_missed = missedOf(inDay, intervalBetween(date, core_time, zone))
  }
  return dayHintCodes.flatMap((code) => (found[code] ? [{ code, amountMs: found[code] }] : []))
}

/** Work that is more than working-time law allows in the weeks up to a week. It is no legal advice. */
export interface WeekHint {
  /** The average work of a week. */
  averageMs: DurationMs
  /** Over how many weeks, at most; fewer where the account is younger. */
  weeks: number
  limitMs: DurationMs
}

/** Returns how many weeks the average of a country's law covers. */
export function weeksOfHint(country: HintCountry): number {
  return longestWeek[country].weeks
}

/**
 * Returns the hint of a week (D14.4) by the net work of each week up to it, the week itself last. Weeks before the
 * account begins are left out.
 */
export function weekHint(country: HintCountry, netWorkMs: readonly DurationMs[]): WeekHint | undefined {
  const { weeks, limitMs } = longestWeek[country]
  const averaged = netWorkMs.slice(-weeks)
  const averageMs = Math.round(averaged.reduce((sum, ms) => sum + ms, 0) / Math.max(1, averaged.length))
  return averageMs > limitMs ? { averageMs, weeks: averaged.length, limitMs } : undefined
}

/**
 * Returns when running work reaches the longest day of the law: where the net work is `netWorkMs` at `nowMs` (D14.5).
 * `undefined` if there is no such limit, or it has passed.
 */
export function longestDayReachedAt(
  settings: Pick<HintSettings, 'hints'>,
  netWorkMs: DurationMs,
  nowMs: EpochMs,
): { limitMs: DurationMs; atMs: EpochMs } | undefined {
  const limitMs = settings.hints && longestDayMs[settings.hints]
  if (!limitMs || netWorkMs >= limitMs) return undefined
  return { limitMs, atMs: nowMs + limitMs - netWorkMs }
}

/** Returns shifts: work with the short gaps in it. */
function shiftsOf(work: DisjointIntervals): DisjointIntervals {
  return union(work.map(({ start, end }) => ({ start, end: end + SHIFT_GAP_MS }))).map(({ start, end }) => ({
    start,
    end: end - SHIFT_GAP_MS,
  }))
}

/** Returns the rest before the first shift that begins on a date if it is too short, else 0. */
function shortRest(work: DisjointIntervals, timeline: Timeline, date: LocalDate): DurationMs {
  const shifts = shiftsOf(work)
  const first = shifts.findIndex(({ start }) => dateAt(timeline, start) === date)
  const [before, after] = [shifts[first - 1], shifts[first]]
  if (!before || !after) return 0
  const restMs = after.start - before.end
  return restMs < REST_MS ? restMs : 0
}

/** Returns the work at night in the shifts that begin on a date, if the law calls it night work, else 0. */
function nightWork(work: DisjointIntervals, timeline: Timeline, date: LocalDate, country: HintCountry): DurationMs {
  const { from, to, isWork } = nights[country]
  const zone = zoneOn(timeline, date)
  const nightsAround = [-1, 0, 1].map((days) => ({
    start: instantAt(addDays(date, days), from, zone),
    end: instantAt(addDays(date, days + 1), to, zone),
  }))
  const amounts = shiftsOf(work)
    .filter(({ start }) => dateAt(timeline, start) === date)
    .map((shift) => totalLength(nightsAround.flatMap((night) => within(within(work, shift), night))))
  return Math.max(0, ...amounts.filter(isWork))
}

/** Returns the part of the core time before the first and after the last work; 0 without work, which has no times. */
function missedOf(work: DisjointIntervals, core: Interval): DurationMs {
  const [first, last] = [work[0], work.at(-1)]
  if (!first || !last) return 0
  return totalLength(difference([core], [{ start: first.start, end: last.end }]))
}

function intervalBetween(date: LocalDate, { from, to }: { from: string; to: string }, zone: ZoneName): Interval {
  return { start: instantAt(date, from, zone), end: instantAt(date, to, zone) }
}

function instantAt(date: LocalDate, time: string, zone: ZoneName): EpochMs {
  return Temporal.PlainDate.from(date).toZonedDateTime({ timeZone: zone, plainTime: time }).epochMilliseconds
}
