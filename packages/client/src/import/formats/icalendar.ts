import type { EpochMs } from '@saldo/core'
import { isTimeOff } from '../absent.ts'
import type { ReadBudget } from '../budget.ts'
import { type FileRow, type FileTime, newRow, UnreadableFileError } from '../file.ts'
import { componentsOf, propertiesOf, propertyOf, readComponents, splitTexts, unescapeText } from './ical-lines.ts'
import { type Exception, type Occurrence, occurrencesOf, withoutReplaced } from './ical-occurrences.ts'
import {
  type CalendarEvent,
  type CalendarTime,
  EventError,
  endAfter,
  fileTime,
  idOfTime,
  type Length,
  lengthFrom,
  lengthUpTo,
  localPlus,
  MAX_DURATION_MS,
  msOf,
  placed,
  timeIn,
} from './ical-times.ts'
import { type CalendarZone, CalendarZones, localIn, utc } from './ical-zones.ts'

/**
 * Reads the events of a calendar (RFC 5545), of repeated ones each occurrence: all of them, or up to `nowMs` if the
 * rule does not end. What cannot be read costs one event. Throws `UnreadableFileError` where the rules of events and
 * time zones need more than the budget.
 */
export function readICalendar(text: string, nowMs: EpochMs, budget: ReadBudget): FileRow[] {
  const events = eventsOf(text, budget)
  const superseded = new Set(supersededBy(events))
  const exceptions = Map.groupBy(
    events.filter((event) => !superseded.has(event)).flatMap((event) => exceptionOf(event) ?? []),
    ({ event }) => event.uid,
  )
  const met = new Set<string>()
  return events.flatMap((event) => {
    if (superseded.has(event)) return [{ ...describe(event), skip: 'superseded' as const }]
    const own = exceptions.get(event.uid) ?? []
    // One event for many exceptions is usual, many events with the same ones are not.
    if (met.has(event.uid) && !isException(event)) budget.spend('calendarSteps', own.length)
    met.add(event.uid)
    return orNamed(event, () => {
      const rows = rowsOf(event, own, nowMs, budget)
      budget.spend('rows', rows.length)
      return rows
    })
  })
}

function eventsOf(text: string, budget: ReadBudget): CalendarEvent[] {
  const components = readComponents(text)
  const zones = new CalendarZones(componentsOf(components, 'VTIMEZONE'), budget)
  const events: CalendarEvent[] = []
  for (const calendar of components) {
    const named = propertyOf(calendar, 'X-WR-TIMEZONE')?.value.trim()
    const defaultZone = named === undefined || named === '' ? undefined : zones.named(named)
    for (const component of componentsOf([calendar], 'VEVENT')) {
      const uid = propertyOf(component, 'UID')?.value.trim() ?? ''
      const sequence = Number(propertyOf(component, 'SEQUENCE')?.value.trim() ?? 0) || 0
      events.push({ row: events.length + 1, component, zones, defaultZone, uid, sequence })
    }
  }
  return events
}

/** Returns the rows of an event, or the reason why it has none: the library throws plain errors for bad values. */
function orNamed(event: CalendarEvent, read: () => FileRow[]): FileRow[] {
  try {
    return read()
  } catch (error) {
    if (error instanceof UnreadableFileError || !(error instanceof Error)) throw error
    return [{ ...describe(event), skip: error instanceof EventError ? error.skip : 'invalid_record' }]
  }
}

/** Returns the events of which the file has a later version: of the same `UID` with a higher `SEQUENCE`. */
function supersededBy(events: readonly CalendarEvent[]): CalendarEvent[] {
  const versions = Map.groupBy(
    events.filter(({ uid }) => uid !== ''),
    (event) => `${event.uid}\n${exceptionOf(event)?.id.ms ?? ''}`,
  )
  return [...versions.values()].flatMap((same) => {
    const highest = Math.max(...same.map(({ sequence }) => sequence))
    return same.filter(({ sequence }) => sequence < highest)
  })
}

const isException = ({ component }: CalendarEvent) => propertyOf(component, 'RECURRENCE-ID') !== undefined

function exceptionOf(event: CalendarEvent): Exception | undefined {
  const line = propertyOf(event.component, 'RECURRENCE-ID')
  if (!line || event.uid === '') return undefined
  try {
    const isForFuture = line.parameters.RANGE?.toUpperCase() === 'THISANDFUTURE'
    return { event, id: timeIn(event, line), isForFuture }
  } catch (error) {
    // The event is named when its rows are read.
    if (error instanceof EventError) return undefined
    throw error
  }
}

/** Returns the row of an event, or those of its occurrences without the ones that exceptions replace. */
function rowsOf(event: CalendarEvent, exceptions: readonly Exception[], nowMs: EpochMs, budget: ReadBudget): FileRow[] {
  const { component, uid } = event
  const read = describe(event)
  if (!component.isClosed) throw new EventError('invalid_record')
  if (propertyOf(component, 'STATUS')?.value.trim().toUpperCase() === 'CANCELLED') throw new EventError('cancelled')
  const startLine = propertyOf(component, 'DTSTART')
  if (!startLine) throw new EventError('no_date')
  const start = timeIn(event, startLine)
  const isAllDay = propertyOf(component, 'X-MICROSOFT-CDO-ALLDAYEVENT')?.value.trim().toUpperCase() === 'TRUE'
  if (start.isDate || isAllDay) throw new EventError('all_day')
  if (isTimeOff(unescapeText(propertyOf(component, 'SUMMARY')?.value ?? '').trim())) throw new EventError('time_off')
  const length = lengthOf(event, start)
  const isSeries = ['RRULE', 'RDATE'].some((name) => propertyOf(component, name) !== undefined)
  const id = propertyOf(component, 'RECURRENCE-ID')
  if (id || !isSeries) {
    return [
      {
        ...read,
        ...timesOfOne(event, start, length),
        ...(uid !== '' && { ref: id ? `${uid} ${idOfTime(timeIn(event, id))}` : uid }),
      },
    ]
  }
  const occurrences = withoutReplaced(occurrencesOf(event, start, length, nowMs, budget), exceptions, start.zone)
  if (occurrences.length === 0) throw new EventError('no_date')
  const changes = exceptions.filter(({ isForFuture }) => isForFuture).sort((a, b) => a.id.ms - b.id.ms)
  let passed = 0
  return occurrences.map((one) => {
    while ((changes[passed]?.id.ms ?? Number.POSITIVE_INFINITY) < one.start.ms) passed += 1
    const change = changes[passed - 1]
    const moved = change ? movedBy(change, one, start.zone) : { ...one, read }
    const times = { start: fileTime(moved.start), end: endAfter(moved.start, moved.length) }
    return { ...moved.read, row: read.row, ...times, ref: `${uid} ${idOfTime(one.start)}` }
  })
}

/** Returns an occurrence as an exception for it and all that follow moves and describes it. */
function movedBy({ event, id }: Exception, occurrence: Occurrence, zone: CalendarZone | undefined) {
  const line = propertyOf(event.component, 'DTSTART')
  if (!line) return { ...occurrence, read: describe(event) }
  const start = timeIn(event, line)
  const before = localIn(id.zone ? id.ms : placed(id.local, zone).ms, zone ?? utc)
  const local = localPlus(occurrence.start.local, Date.parse(`${start.local}Z`) - Date.parse(`${before}Z`))
  return { start: placed(local, start.zone), length: lengthOf(event, start), read: describe(event) }
}

function describe({ row, component }: CalendarEvent): FileRow {
  const textIn = (name: string) => unescapeText(propertyOf(component, name)?.value ?? '').trim()
  const summary = textIn('SUMMARY')
  const time = propertyOf(component, 'DTSTART')?.text ?? ''
  return {
    ...newRow(row),
    note: [summary, textIn('DESCRIPTION')].filter((text) => text !== '').join('\n'),
    tags: propertiesOf(component, 'CATEGORIES').flatMap(({ value }) => splitTexts(value)),
    text: [summary, time].filter((text) => text !== '').join(' · '),
  }
}

/** Returns the length of an event: that of `DURATION`, else the one up to `DTEND`. */
function lengthOf(event: CalendarEvent, start: CalendarTime): Length {
  const [duration, end] = [propertyOf(event.component, 'DURATION'), propertyOf(event.component, 'DTEND')]
  const length = end ? lengthUpTo(start, timeIn(event, end)) : duration && lengthFrom(duration.value)
  if (!length) throw new EventError('no_end')
  if (Math.abs(msOf(length)) > MAX_DURATION_MS) throw new EventError('too_long')
  return length
}

/** Returns both times of an event, as instants if only one of them is one in the file. */
function timesOfOne(event: CalendarEvent, start: CalendarTime, length: Length): { start: FileTime; end: FileTime } {
  const line = propertyOf(event.component, 'DTEND')
  const stated = line && timeIn(event, line)
  const end = stated?.zone && start.zone ? stated : undefined
  const times = { start: fileTime(start), end: end ? fileTime(end) : endAfter(start, length) }
  const isMixed = 'at' in times.start !== 'at' in times.end
  return isMixed ? { start: { at: start.ms }, end: { at: start.ms + exactly(start, length) } } : times
}

/** Returns how long an event lasts that begins at a time. */
function exactly(start: CalendarTime, length: Length): number {
  if ('exactMs' in length) return length.exactMs
  return placed(localPlus(start.local, length.localMs), start.zone).ms - start.ms
}
