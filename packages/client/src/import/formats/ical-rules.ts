import type { EpochMs } from '@saldo/core'
import ICAL from 'ical.js'
import { importLimits, type ReadBudget } from '../budget.ts'

/** The library goes day by day through an interval of days or weeks. */
const MAX_INTERVAL = 10_000
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

/** Returns the rule that a text states, as the value of `RRULE`. Throws `Error` if it is none. */
export function readRule(text: string): RepetitionRule {
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
 * budget pays for each date that it tries, since the library looks for ever for a date that a rule never has, such as
 * the 30th of February.
 */
export function* timesOf(
  { recur }: RepetitionRule,
  start: string,
  lastYear: number,
  budget: ReadBudget,
): Generator<string> {
  const Iterator = limitedIterator(lastYear, budget)
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
function limitedIterator(lastYear: number, budget: ReadBudget): typeof ICAL.RecurIterator {
  return class extends ICAL.RecurIterator {
    override check_contracting_rules(): boolean {
      budget.spend('calendarSteps')
      return this.last.year > lastYear || super.check_contracting_rules()
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
