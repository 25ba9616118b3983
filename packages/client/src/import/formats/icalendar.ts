import { type EpochMs, isZone } from '@saldo/core'
import ICAL from 'ical.js'
import { type FileRow, type FileTime, newRow, UnreadableFileError } from '../file.ts'

/** A rule can repeat every second. */
const MAX_OCCURRENCES = 10_000

/**
 * Reads the events of a calendar (RFC 5545), of repeated ones each occurrence: all of them, or up to `nowMs` if the
 * rule does not end. Throws `UnreadableFileError`.
 */
export function readICalendar(text: string, nowMs: EpochMs): FileRow[] {
  const components = parse(text).flatMap((calendar) => calendar.getAllSubcomponents('vevent'))
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
      return rowsOf(row, event, exceptions.get(event.uid) ?? [], nowMs)
    } catch (error) {
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
    const parsed = ICAL.parse(text) as unknown[]
    // Several calendars in a file come as a list, one comes alone.
    const calendars = (typeof parsed[0] === 'string' ? [parsed] : parsed) as ConstructorParameters<
      typeof ICAL.Component
    >[0][]
    return calendars.map((calendar) => new ICAL.Component(calendar))
  } catch (error) {
    throw new UnreadableFileError('unknown_format', `the calendar cannot be read: ${(error as Error).message}`)
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
  const hasEnd = event.component.hasProperty('dtend') || event.component.hasProperty('duration')
  return hasEnd ? undefined : 'no_end'
}

function occurrencesOf(event: ICAL.Event, nowMs: EpochMs): ICAL.Time[] {
  const rules = event.component.getAllProperties('rrule').map((property) => property.getFirstValue() as ICAL.Recur)
  const isEndless = rules.some((rule) => !rule.isFinite())
  const iterator = event.iterator()
  const occurrences: ICAL.Time[] = []
  for (let next = iterator.next(); next && occurrences.length < MAX_OCCURRENCES; next = iterator.next()) {
    if (isEndless && next.toUnixTime() * 1_000 > nowMs) break
    occurrences.push(next.clone())
  }
  return occurrences
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
