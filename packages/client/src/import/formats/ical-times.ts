import { DAY_MS, type EpochMs, instantOf } from '@saldo/core'
import ICAL from 'ical.js'
import type { ReadBudget } from '../budget.ts'
import type { FileTime, SkipReason } from '../file.ts'
import type { CalendarComponent, CalendarLine } from './ical-lines.ts'
import { type CalendarZone, type CalendarZones, FileZone, instantIn, localIn, utc } from './ical-zones.ts'

/** The longest entry (D11.1). */
export const MAX_DURATION_MS = 31 * DAY_MS
/** A time in a calendar. Its place on the line of time is that of its zone, without one as if it were UTC. */
export interface CalendarTime {
  /** Such as `2026-01-05T08:00:00`; midnight for a date. */
  local: string
  isDate: boolean
  zone: CalendarZone | undefined
  ms: EpochMs
}

/** A length of time: by the clock on the wall, or exact. */
export type Length = { localMs: number } | { exactMs: number }

export interface CalendarEvent {
  row: number
  component: CalendarComponent
  zones: CalendarZones
  /** The zone of times without one. */
  defaultZone: CalendarZone | undefined
  uid: string
  sequence: number
}

/** An event that becomes no entry, with the reason. */
export class EventError extends Error {
  readonly skip: SkipReason

  constructor(skip: SkipReason) {
    super(skip)
    this.name = 'EventError'
    this.skip = skip
  }
}

/** Returns the length between two times: by the clock on the wall if they are in one zone, else exact. */
export function lengthUpTo(start: CalendarTime, end: CalendarTime): Length {
  if (isSameZone(start.zone, end.zone)) return { localMs: Date.parse(`${end.local}Z`) - Date.parse(`${start.local}Z`) }
  // A time without a zone is in that of the start.
  const endMs = end.zone ? end.ms : placed(end.local, start.zone).ms
  return { exactMs: endMs - start.ms }
}

/** Returns the length that a `DURATION` states. Throws `Error` if it is none. */
export function lengthFrom(text: string): Length {
  return { localMs: ICAL.Duration.fromString(text.trim()).toSeconds() * 1_000 }
}

/** Returns a length in milliseconds. */
export const msOf = (length: Length) => ('localMs' in length ? length.localMs : length.exactMs)

/** Returns the time of a row at which an event of a length ends. */
export function endAfter(start: CalendarTime, length: Length): FileTime {
  if ('localMs' in length) return fileTime(placed(localPlus(start.local, length.localMs), start.zone))
  if (!start.zone || !('name' in start.zone)) return { at: start.ms + length.exactMs }
  return fileTime(placed(localIn(start.ms + length.exactMs, start.zone), start.zone))
}

/** Returns a time without a zone in the zone of the start, and any other as it is. */
export function placedAs(time: CalendarTime, zone: CalendarZone | undefined): CalendarTime {
  return time.zone || time.isDate ? time : { ...time, ...placed(time.local, zone) }
}

/** Returns the value of a line. Throws `EventError` if the line is damaged. */
export function soundValue(line: CalendarLine): string {
  if (line.isDamaged) throw new EventError('invalid_record')
  return line.value.trim()
}

/** Returns the time of a line. Throws `EventError`. */
export function timeIn(event: CalendarEvent, line: CalendarLine): CalendarTime {
  return timeOf(event, soundValue(line), line.parameters.TZID, undefined)
}

/** Returns the times of a line; those that name no zone are in the one of the start. Throws `EventError`. */
export function timesIn(
  event: CalendarEvent,
  line: CalendarLine,
  zone: CalendarZone | undefined,
  budget: ReadBudget,
): CalendarTime[] {
  return valuesOf(line, budget).map((value) => timeOf(event, value, line.parameters.TZID, zone))
}

/** Returns the values of a line, each of which the budget pays for. Throws `EventError`. */
export function valuesOf(line: CalendarLine, budget: ReadBudget): string[] {
  const values = soundValue(line)
    .split(',')
    .filter((value) => value.trim() !== '')
  budget.spend('calendarSteps', values.length)
  return values
}

const TIME = /^(\d{4})-?(\d\d)-?(\d\d)(?:T(\d\d):?(\d\d)(?::?(\d\d))?(Z)?)?$/i

/** Returns a time of a calendar; `zone` is that of times that name none, before that of the calendar. */
export function timeOf(
  event: CalendarEvent,
  text: string,
  id: string | undefined,
  zone: CalendarZone | undefined,
): CalendarTime {
  const [, year, month, day, hour, minute, second = '00', isUtc] = TIME.exec(text.trim()) ?? []
  const date = `${year}-${month}-${day}`
  const local = `${date}T${hour ?? '00'}:${minute ?? '00'}:${second === '60' ? '59' : second}`
  // A date that does not exist, such as 30 February, is another one after reading.
  const ms = Date.parse(`${local}Z`)
  if (year === undefined || Number.isNaN(ms) || instantOf(ms).slice(0, 10) !== date)
    throw new EventError('invalid_time')
  if (hour === undefined) return { local, isDate: true, zone: undefined, ms }
  const own = isUtc ? utc : zoneNamed(event, id)
  return placed(local, own ?? zone ?? event.defaultZone)
}

function zoneNamed({ zones }: CalendarEvent, id: string | undefined): CalendarZone | undefined {
  if (id === undefined || id === '') return undefined
  const zone = zones.named(id)
  if (!zone) throw new EventError('unknown_zone')
  return zone
}

/** Returns a local time in a zone. */
export function placed(local: string, zone: CalendarZone | undefined): CalendarTime {
  return { local, isDate: false, zone, ms: instantIn(local, zone ?? utc) }
}

/** Returns a time as a row has it: local in a zone of the IANA database or without one, else an instant. */
export function fileTime({ local, zone, ms }: CalendarTime): FileTime {
  if (zone && !('name' in zone)) return { at: ms }
  const [date = '', time = ''] = local.split('T')
  return { date, time, ...(zone && { zone: zone.name }) }
}

function isSameZone(a: CalendarZone | undefined, b: CalendarZone | undefined): boolean {
  if (a === b) return true
  if (!a || !b || a instanceof FileZone || b instanceof FileZone) return false
  return 'name' in a ? 'name' in b && a.name === b.name : 'offsetMs' in b && a.offsetMs === b.offsetMs
}

/** Returns a local time so many milliseconds later by the clock on the wall. */
export function localPlus(local: string, ms: number): string {
  return instantOf(Date.parse(`${local}Z`) + ms).slice(0, 19)
}

/** Returns a time as the id of a row has it. */
export function idOfTime({ local, zone }: CalendarTime): string {
  return zone === utc ? `${local}Z` : local
}
