import type { EpochMs } from '@saldo/core'
import ICAL from 'ical.js'
import { importLimits, type ReadBudget } from '../budget.ts'

/** The library goes day by day through an interval of days or weeks. */
const MAX_INTERVAL = 1_000
/** More than a rule has that names every day of a year. */
const MAX_RULE_CHARACTERS = 2_000
/** The library compares each weekday of a rule with all others, and goes through its numbers for each date. */
const PARTS_OF_A_STEP = 50
/** Days, months or years that the library goes through between two dates it tries, at the cost of one of them. */
const WALK_OF_A_STEP = 31
/** The library takes as long as for three days to find the place of a weekday in a month. */
const WALK_OF_A_WEEKDAY = 3
/** The library looks for the first date up to this year. */
const LIBRARY_YEAR = 20_000
/** Less than one of a number of occurrences, and more than 0. */
const ALMOST_NONE = 0.5

/** A rule of repetition. */
export interface RepetitionRule {
  recur: ICAL.Recur
  /** The last time, `undefined` if none is stated: a date stands for its last second. */
  until: { local: string; isUtc: boolean } | undefined
  /** False if the rule never ends. */
  hasEnd: boolean
}

/**
 * Returns the rule that a text states, as the value of `RRULE`. The budget pays for it, by the numbers that it has.
 * Throws `Error` if it is none.
 */
export function readRule(text: string, budget: ReadBudget): RepetitionRule {
  budget.spend('calendarSteps')
  if (text.length > MAX_RULE_CHARACTERS) throw new Error(`the rule has ${text.length} characters`)
  const recur = ICAL.Recur.fromString(text.trim())
  if (recur.interval > MAX_INTERVAL) throw new Error(`the interval ${recur.interval} is too long`)
  const hasEnd = recur.isFinite()
  const [date = '', clock = '23:59:59'] = recur.until?.toString().replace('Z', '').split('T') ?? []
  const isUtc = recur.until?.zone === ICAL.Timezone.utcTimezone
  const until = recur.until ? { local: `${date}T${clock}`, isUtc } : undefined
  // The caller compares with the end: the library does not know the zone of the start.
  recur.until = null
  return { recur, until, hasEnd }
}

/**
 * Yields the local times that a rule gives from a start on, such as `2026-01-05T08:00:00`, up to the end of a year. The
 * budget pays for each date that it tries and for long ways between them, since the library looks for ever for a date
 * that a rule never has, such as the 30th of February.
 */
export function* timesOf(
  { recur }: RepetitionRule,
  start: string,
  lastYear: number,
  budget: ReadBudget,
): Generator<string> {
  const Iterator = limitedIterator(recur, lastYear, budget)
  const iterator = new Iterator({ rule: recur, dtstart: ICAL.Time.fromDateTimeString(start) })
  for (let next = iterator.next(); next; next = iterator.next()) yield next.toString()
}

/** The last year of a date (D1.6). */
export const LAST_YEAR = 9_999

/** Returns the last year to which a rule is followed, if it never ends: that of now, or the next one. */
export const lastYearBy = (nowMs: EpochMs) => new Date(nowMs).getUTCFullYear() + 1

/** They become rows, which count: more than all rows need not be found. */
export const MOST_OCCURRENCES = importLimits.rows + 1

/** Returns an iterator over the dates of a rule up to a year, of which each date that it tries is a step. */
function limitedIterator({ parts }: ICAL.Recur, lastYear: number, budget: ReadBudget): typeof ICAL.RecurIterator {
  const lists = Object.values(parts).filter(Array.isArray)
  const count = lists.reduce((sum, list) => sum + list.length, 0)
  budget.spend('calendarSteps', 1 + Math.floor(count ** 2 / PARTS_OF_A_STEP))
  const { BYDAY: weekdays = [], BYMONTHDAY: monthDays = [] } = parts as { BYDAY?: string[]; BYMONTHDAY?: number[] }
  const walkOfMonth = 1 + WALK_OF_A_WEEKDAY * weekdays.length * monthDays.length
  const stepsOfDate = 1 + Math.floor(count / PARTS_OF_A_STEP)
  // The library walks in its constructor, before an instance has fields.
  let walked = 0
  const walk = (distance: number) => {
    const before = Math.floor(walked / WALK_OF_A_STEP)
    walked += distance
    const steps = Math.floor(walked / WALK_OF_A_STEP) - before
    if (steps > 0) budget.spend('calendarSteps', steps * stepsOfDate)
  }
  return class extends ICAL.RecurIterator {
    override check_contracting_rules(): boolean {
      budget.spend('calendarSteps', stepsOfDate)
      walked = 0
      return this.last.year > lastYear || super.check_contracting_rules()
    }

    override increment_monthday(days: number): void {
      walk(days)
      super.increment_monthday(days)
    }

    override increment_month(): void {
      walk(walkOfMonth)
      super.increment_month()
      if (this.last.year > LIBRARY_YEAR) throw new Error('the rule has no date')
    }

    override is_day_in_byday(day: ICAL.Time): 0 | 1 {
      walk(1)
      // The library asks that for each day of a month, and makes several times for each weekday of the rule.
      return weekdays.some((weekday) => isWeekdayOf(weekday, day)) ? 1 : 0
    }

    override expand_by_day(year: number): number[] {
      const days = super.expand_by_day(year)
      walk(days.length)
      return days
    }

    override expand_year_days(year: number): number {
      walk(1)
      // Beyond the last year, the library need not look any further.
      if (year > lastYear) this.last.year = LIBRARY_YEAR
      return super.expand_year_days(year)
    }

    override next(again?: boolean): ICAL.Time {
      for (;;) {
        const found = super.next(again)
        if (!found) return found
        if (found.year > lastYear) {
          this.completed = true
          return null as unknown as ICAL.Time
        }
        if (isDateOf(this.rule, found, this.dtstart)) return found
        // It is none, so that it does not count (`COUNT`); after 0, the library would give it again.
        this.occurrence_number = Math.max(this.occurrence_number - 1, ALMOST_NONE)
      }
    }
  }
}

const WEEKDAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA']

/** True if a day is a weekday of a rule: `MO`, or `1MO` and `-1MO` as the first and last one of its month. */
function isWeekdayOf(weekday: string, time: ICAL.Time): boolean {
  const { year, month, day } = time
  if (WEEKDAYS[time.dayOfWeek() - 1] !== weekday.slice(-2)) return false
  const place = Number.parseInt(weekday, 10) || 0
  const daysLeft = ICAL.Time.daysInMonth(month, year) - day
  return place === 0 || place === (place < 0 ? -1 - Math.floor(daysLeft / 7) : Math.ceil(day / 7))
}

/** False for a day of the next month, which the library makes of a day that a month does not have. */
function isDateOf({ parts, freq }: ICAL.Recur, { year, month, day }: ICAL.Time, start: ICAL.Time): boolean {
  const { BYMONTH: months, BYMONTHDAY: days } = parts as { BYMONTH?: number[]; BYMONTHDAY?: number[] }
  if (months && !months.includes(month)) return false
  const length = ICAL.Time.daysInMonth(month, year)
  if (days) return days.some((wanted) => day === (wanted < 0 ? length + 1 + wanted : wanted))
  // A rule of years or months alone has the day of the start.
  const isOfStart =
    ['YEARLY', 'MONTHLY'].includes(freq) && !('BYDAY' in parts || 'BYWEEKNO' in parts || 'BYYEARDAY' in parts)
  return !isOfStart || (day === start.day && (months !== undefined || freq === 'MONTHLY' || month === start.month))
}
