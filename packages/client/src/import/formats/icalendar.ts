import { derivedId, type EpochMs, entryLimits } from '@saldo/core'
import { isTimeOff } from '../absent.ts'
import type { ReadBudget } from '../budget.ts'
import { type FileRow, type FileTime, MAX_TAGS, newRow, UnreadableFileError } from '../file.ts'
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

/** A longer name of an event is hashed: each occurrence is named by it. */
const MAX_UID_CHARACTERS = 1_000

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
  const rowsOfEvent = (event: CalendarEvent): FileRow[] => {
    if (superseded.has(event)) return [{ ...describe(event), skip: 'superseded' as const }]
    const own = exceptions.get(event.uid) ?? []
    // One event for many exceptions is usual, many events with the same ones are not.
    if (met.has(event.uid) && !isException(event)) budget.spend('calendarSteps', own.length)
    met.add(event.uid)
    return orNamed(event, () => rowsOf(event, own, nowMs, budget))
  }
  return events.flatMap((event) => {
    const rows = rowsOfEvent(event)
    budget.spend('rows', rows.length)
    return rows
  })
}

function eventsOf(text: string, budget: ReadBudget): CalendarEvent[] {
  const components = readComponents(text)
  const zones = new CalendarZones(componentsOf(components, 'VTIMEZONE'), budget)
  const events: CalendarEvent[] = []
  for (const calendar of components) {
    const zone = propertyOf(calendar, 'X-WR-TIMEZONE')?.value.trim()
    const defaultZone = zone === undefined || zone === '' ? undefined : zones.named(zone)
    for (const component of componentsOf([calendar], 'VEVENT')) {
      const named = propertyOf(component, 'UID')?.value.trim() ?? ''
      const uid = named.length > MAX_UID_CHARACTERS ? derivedId('import-uid', named) : named
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
    const highest = same.reduce((most, { sequence }) => Math.max(most, sequence), 0)
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
  const shared = shortened(read)
  const occurrences = withoutReplaced(occurrencesOf(event, start, length, nowMs, budget), exceptions, start.zone)
  if (occurrences.length === 0) throw new EventError('no_date')
  const changes = exceptions
    .filter(({ isForFuture }) => isForFuture)
    .sort((a, b) => a.id.ms - b.id.ms)
    .map((change) => ({ ms: change.id.ms, move: movesBy(change, start.zone) }))
  let passed = 0
  return occurrences.map((one) => {
    while ((changes[passed]?.ms ?? Number.POSITIVE_INFINITY) < one.start.ms) passed += 1
    const change = changes[passed - 1]
    const moved = change ? change.move(one) : { ...one, read: shared }
    const times = { start: fileTime(moved.start), end: endAfter(moved.start, moved.length) }
    return { ...moved.read, row: read.row, ...times, ref: `${uid} ${idOfTime(one.start)}` }
  })
}

type Moved = Occurrence & { read: FileRow }

/**
 * Returns a function that moves and describes occurrences as an exception for them and all that follow does. It reads
 * the exception once: that can be long, and the occurrences many.
 */
function movesBy(exception: Exception, zone: CalendarZone | undefined): (occurrence: Occurrence) => Moved {
  let move: ((occurrence: Occurrence) => Moved) | undefined
  return (occurrence) => {
    move ??= readMove(exception, zone)
    return move(occurrence)
  }
}

function readMove({ event, id }: Exception, zone: CalendarZone | undefined): (occurrence: Occurrence) => Moved {
  const read = shortened(describe(event))
  const line = propertyOf(event.component, 'DTSTART')
  if (!line) return (occurrence) => ({ ...occurrence, read })
  const start = timeIn(event, line)
  const length = lengthOf(event, start)
  const before = localIn(id.zone ? id.ms : placed(id.local, zone).ms, zone ?? utc)
  const laterMs = Date.parse(`${start.local}Z`) - Date.parse(`${before}Z`)
  return ({ start: { local } }) => ({ start: placed(localPlus(local, laterMs), start.zone), length, read })
}

/** Returns a description with texts just too long to be stored, if they are longer: each occurrence is worked on. */
function shortened(read: FileRow): FileRow {
  const { noteLength, tags, tagLength } = entryLimits
  const cut = (text: string, length: number) => text.slice(0, 2 * length + 1)
  return {
    ...read,
    note: cut(read.note, noteLength),
    tags: read.tags.slice(0, tags + 1).map((tag) => cut(tag, tagLength)),
  }
}

function describe({ row, component }: CalendarEvent): FileRow {
  const textIn = (name: string) => unescapeText(propertyOf(component, name)?.value ?? '').trim()
  const summary = textIn('SUMMARY')
  const time = propertyOf(component, 'DTSTART')?.text ?? ''
  return {
    ...newRow(row),
    note: [summary, textIn('DESCRIPTION')].filter((text) => text !== '').join('\n'),
    tags: propertiesOf(component, 'CATEGORIES').flatMap(({ value }) => splitTexts(value, MAX_TAGS)),
    text: [summary, time].filter((text) => text !== '').join(' · '),
    ...(isBusy(component) ? {} : { odd: ['not_busy'] }),
  }
}

/** True unless the calendar shows the time of an event as free or out of office. */
function isBusy(component: CalendarEvent['component']): boolean {
  const textIn = (name: string) => propertyOf(component, name)?.value.trim().toUpperCase() ?? ''
  return textIn('TRANSP') !== 'TRANSPARENT' && !['FREE', 'OOF'].includes(textIn('X-MICROSOFT-CDO-BUSYSTATUS'))
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
