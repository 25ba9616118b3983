import { HOUR_MS } from '@saldo/core'

/** A duration in hours, as milliseconds. */
export const hours = (count: number) => count * HOUR_MS

const atEight = [8, 8, 8, 8, 8, 0, 0].map(hours)

/** Settings from a date on: eight hours from Monday to Friday in Berlin, unless told otherwise. */
export function settings(effective_from: string, more: object = {}) {
  return { effective_from, time_zone: 'Europe/Berlin', target_ms: atEight, ...more }
}

/** Work, or something else timed, from one instant to another; still running where there is no end. */
export function work(started_at: string, ended_at: string | null, more: object = {}) {
  return { kind: 'work', started_at: iso(started_at), ended_at: ended_at === null ? null : iso(ended_at), ...more }
}

export function absence(kind: string, date: string, day_share = 1) {
  return { kind, date, day_share }
}

function iso(instant: string): string {
  return Temporal.Instant.from(instant).toString({ fractionalSecondDigits: 3 })
}
