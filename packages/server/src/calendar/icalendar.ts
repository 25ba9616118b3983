import { asLine, type EpochMs } from '@saldo/core'
import ICAL from 'ical.js'

/** A property of a component, as in jCal (RFC 7265). */
export type CalendarProperty = [name: string, params: object, type: string, value: string]

/**
 * Writes a component of an iCalendar (RFC 5545) with the end of its last line. A text is one line, because its
 * characters include no control characters and some readers end a line at a bare CR.
 */
export function writeComponent(name: 'vcalendar' | 'vevent', properties: readonly CalendarProperty[]): string {
  const written = properties.map((property): CalendarProperty => {
    const [key, params, type, value] = property
    return type === 'text' ? [key, params, type, asLine(value)] : property
  })
  return `${new ICAL.Component([name, written, []])}\r\n`
}

/** Returns an instant as iCalendar has it, without its milliseconds: `2026-11-21T08:30:00Z`. */
export function utcSeconds(ms: EpochMs): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`
}
