import { HOUR_MS } from '@saldo/core'

/** Returns a duration in hours as milliseconds. */
export const hours = (count: number) => count * HOUR_MS

const atEight = [8, 8, 8, 8, 8, 0, 0].map(hours)

/** Returns settings from a date on: eight hours from Monday to Friday in Berlin, unless `more` changes it. */
export function settings(effective_from: string, more: object = {}) {
  return { effective_from, time_zone: 'Europe/Berlin', target_ms: atEight, ...more }
}

/** Returns work, or another timed entry, from one instant to another; without an end it is running. */
export function work(started_at: string, ended_at: string | null, more: object = {}) {
  return { kind: 'work', started_at: iso(started_at), ended_at: ended_at === null ? null : iso(ended_at), ...more }
}

export function absence(kind: string, date: string, day_share = 1) {
  return { kind, date, day_share }
}

function iso(instant: string): string {
  return Temporal.Instant.from(instant).toString({ fractionalSecondDigits: 3 })
}
