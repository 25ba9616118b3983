import { type EpochMs, fieldOf, isZone, itemsOf } from '@saldo/core'
import ICAL from 'ical.js'
import { importLimits, type ReadBudget } from '../budget.ts'
import { type FileRow, type FileTime, newRow, UnreadableFileError } from '../file.ts'

/** The longest entry in seconds (D11.1): the library adds longer durations month by month. */
const MAX_DURATION_S = 31 * 86_400
/** The library goes day by day through an interval of days or weeks. */
const MAX_INTERVAL = 10_000
/** Less than one of a number of occurrences, and more than 0. */
const ALMOST_NONE = 0.5
/** The last year of a date (D1.6). */
const LAST_YEAR = 9_999

/**
 * Reads the events of a calendar (RFC 5545), of repeated ones each occurrence: all of them, or up to `nowMs` if the
 * rule does not end. Throws `UnreadableFileError`, also where the rules of events and time zones need more than the
 * budget.
 */
export function readICalendar(text: string, nowMs: EpochMs, budget: ReadBudget): FileRow[] {
  const calendars = parse(text)
  for (const calendar of calendars) limitRules(calendar, nowMs, budget)
  const components = calendars.flatMap((calendar) => calendar.getAllSubcomponents('vevent'))
  const events = components.map((component, index) => ({
    row: index + 1,
    event: new ICAL.Event(component, { exceptions: [] }),
  }))
  const exceptions = Map.groupBy(
    events.filter(({ event }) => event.isRecurrenceException()),
    ({ event }) => event.uid,
  )
  return events.flatMap(({ row, event }): FileRow[] => {
    try {
      const rows = rowsOf(row, event, exceptions.get(event.uid) ?? [], nowMs)
      budget.spend('rows', rows.length)
      return rows
    } catch (error) {
      if (error instanceof UnreadableFileError) throw error
      // The library reads values when they are used, and throws plain errors for those that it cannot read.
      if (!(error instanceof Error)) throw error
      return [{ ...newRow(row), skip: 'invalid_record' }]
    }
  })
}

/** Returns the row of an event, or those of its occurrences without the ones that exceptions replace. */
function rowsOf(
  row: number,
  event: ICAL.Event,
  exceptions: readonly { event: ICAL.Event }[],
  nowMs: EpochMs,
): FileRow[] {
  const read = describe(row, event)
  const skip = skipReason(event)
  if (skip) return [{ ...read, skip }]
  const zones = { start: zoneOf(event, 'dtstart'), end: zoneOf(event, 'dtend') ?? zoneOf(event, 'dtstart') }
  const whole = inOneForm(timeOf(event.startDate, zones.start), timeOf(event.endDate, zones.end))
  if (!event.isRecurring()) return [{ ...read, ...whole }]
  if (event.endDate.toUnixTime() - event.startDate.toUnixTime() > MAX_DURATION_S) return [{ ...read, skip: 'too_long' }]
  const moved = new Set(exceptions.map(({ event: { recurrenceId } }) => recurrenceId.toString()))
  const occurrences = occurrencesOf(event, nowMs).filter((start) => !moved.has(start.toString()))
  if (occurrences.length === 0) return [{ ...read, skip: 'no_date' }]
  const duration = durationOf(event, whole)
  return occurrences.map((start) => {
    const end = start.clone()
    end.addDuration(duration)
    const times = { start: timeOf(start, zones.start), end: timeOf(end, zones.start) }
    return { ...read, ...times, ref: `${event.uid} ${start.toString()}` }
  })
}

function parse(text: string): ICAL.Component[] {
  try {
    const parsed = itemsOf(ICAL.parse(text))
    // Several calendars in a file come as a list, one comes alone.
    const calendars = (typeof parsed[0] === 'string' ? [parsed] : parsed) as ConstructorParameters<
      typeof ICAL.Component
    >[0][]
    return calendars.map((calendar) => new ICAL.Component(calendar))
  } catch (error) {
    throw new UnreadableFileError('unknown_format', `the calendar cannot be read: ${String(fieldOf(error, 'message'))}`)
  }
}

function describe(row: number, event: ICAL.Event): FileRow {
  const categories = event.component
    .getAllProperties('categories')
    .flatMap((property): unknown[] => property.getValues())
  return {
    ...newRow(row),
    note: [event.summary, event.description].filter((text) => typeof text === 'string' && text !== '').join('\n'),
    tags: categories.map(String),
    ...(event.uid && { ref: event.isRecurrenceException() ? `${event.uid} ${event.recurrenceId}` : event.uid }),
  }
}

function skipReason(event: ICAL.Event): FileRow['skip'] {
  if (event.component.getFirstPropertyValue('status') === 'CANCELLED') return 'cancelled'
  if (!event.startDate) return 'no_date'
  if (event.startDate.isDate) return 'all_day'
  const duration = event.component.getFirstPropertyValue('duration') as ICAL.Duration | null
  if (duration && Math.abs(duration.toSeconds()) > MAX_DURATION_S) return 'too_long'
  return duration || event.component.hasProperty('dtend') ? undefined : 'no_end'
}

function occurrencesOf(event: ICAL.Event, nowMs: EpochMs): ICAL.Time[] {
  const rules = event.component.getAllProperties('rrule').map((property) => property.getFirstValue() as ICAL.Recur)
  const isEndless = rules.some((rule) => !rule.isFinite())
  const iterator = event.iterator()
  const occurrences: ICAL.Time[] = []
  for (let next = iterator.next(); next; next = iterator.next()) {
    if (isEndless && next.toUnixTime() * 1_000 > nowMs) break
    // They become rows, which count: more than all rows need not be found.
    if (occurrences.length > importLimits.rows) break
    occurrences.push(next.clone())
  }
  return occurrences
}

/**
 * Lets all rules of a component, those of its time zones among them, spend the budget: the library counts nothing, and
 * looks for ever for a date that a rule never has, such as the 30th of February.
 */
function limitRules(component: ICAL.Component, nowMs: EpochMs, budget: ReadBudget): void {
  for (const property of component.getAllProperties('rrule')) {
    const rule = property.getFirstValue() as ICAL.Recur
    const lastYear = rule.isFinite() ? LAST_YEAR : new Date(nowMs).getUTCFullYear() + 1
    // Zones have to reach the years of all events.
    const endsIn = component.parent?.name === 'vtimezone' ? LAST_YEAR : lastYear
    const Iterator = limitedIterator(endsIn, budget)
    rule.iterator = (dtstart) => {
      if (rule.interval > MAX_INTERVAL) throw new Error(`the interval ${rule.interval} is too long`)
      return new Iterator({ rule, dtstart })
    }
  }
  for (const inner of component.getAllSubcomponents()) limitRules(inner, nowMs, budget)
}

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
        if (!found || isDateOf(this.rule, found)) return found
        if (found.year > lastYear) {
          this.completed = true
          return null as unknown as ICAL.Time
        }
        // It is none, so that it does not count (`COUNT`); after 0, the library would give it again.
        this.occurrence_number = Math.max(this.occurrence_number - 1, ALMOST_NONE)
      }
    }
  }
}

/** False for a day of the next month, which the library makes of a day that a month does not have. */
function isDateOf(rule: ICAL.Recur, { year, month, day }: ICAL.Time): boolean {
  const { BYMONTH: months, BYMONTHDAY: days } = rule.parts as { BYMONTH?: number[]; BYMONTHDAY?: number[] }
  if (!months || !days) return true
  const length = ICAL.Time.daysInMonth(month, year)
  return months.includes(month) && days.some((wanted) => day === (wanted < 0 ? length + 1 + wanted : wanted))
}

/** Returns the name of the zone of a time, as the file has it. */
function zoneOf(event: ICAL.Event, property: 'dtstart' | 'dtend'): string | undefined {
  const zone = event.component.getFirstProperty(property)?.getParameter('tzid')
  return typeof zone === 'string' ? zone : undefined
}

/** Returns the length of an event. The library does not know the zones that a file names without defining them. */
function durationOf({ duration }: ICAL.Event, { start, end }: { start: FileTime; end: FileTime }): ICAL.Duration {
  const isInOneZone = 'date' in start && 'date' in end && start.zone === end.zone
  const [startMs, endMs] = [instantOf(start), instantOf(end)]
  if (isInOneZone || startMs === undefined || endMs === undefined) return duration
  return ICAL.Duration.fromSeconds((endMs - startMs) / 1_000)
}

/** Returns two times as they are, or as instants if only one of them is an instant. */
function inOneForm(start: FileTime, end: FileTime): { start: FileTime; end: FileTime } {
  const [startMs, endMs] = [instantOf(start), instantOf(end)]
  const isMixed = 'at' in start !== 'at' in end
  if (!isMixed || startMs === undefined || endMs === undefined) return { start, end }
  return { start: { at: startMs }, end: { at: endMs } }
}

/** Returns the instant of a time, `undefined` without a zone. */
function instantOf(time: FileTime): EpochMs | undefined {
  if ('at' in time) return time.at
  if (time.zone === undefined) return undefined
  return Temporal.PlainDateTime.from(`${time.date}T${time.time}`).toZonedDateTime(time.zone).epochMilliseconds
}

/** Returns a time: local in a zone that this computer knows, else an instant in UTC or by a zone of the file. */
function timeOf(time: ICAL.Time, zone: string | undefined): FileTime {
  if (time.zone === ICAL.Timezone.utcTimezone) return { at: time.toUnixTime() * 1_000 }
  const [date = '', clock = ''] = time.toString().split('T')
  if (zone !== undefined && isZone(zone)) return { date, time: clock, zone }
  if (time.zone && time.zone !== ICAL.Timezone.localTimezone) return { at: time.toUnixTime() * 1_000 }
  return { date, time: clock }
}
