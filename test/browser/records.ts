import type { Content, LocalDate } from '@saldo/core'

const anyEntry = { time_zone: 'Europe/Berlin', tags: [], project: null, source: null, import_ref: null }

/** Work, or a break, on a date of November 2026, from and to an hour in UTC. */
export function timed(date: number, from: number, to: number | null, note = '', kind = 'work'): Content<'entries'> {
  const at = (hour: number) => `2026-11-${String(date).padStart(2, '0')}T${String(hour).padStart(2, '0')}:00:00.000Z`
  const entry = { kind, started_at: at(from), ended_at: to === null ? null : at(to), note }
  return { ...anyEntry, ...entry } as Content<'entries'>
}

export function sick(date: number): Content<'entries'> {
  return { ...anyEntry, kind: 'sick', date: `2026-11-${date}`, day_share: 1, amount_ms: null, note: '' }
}

/** Eight hours from Monday to Friday. */
export function fullTime(from: LocalDate): Content<'settings_history'> {
  const target_ms = [...Array<number>(5).fill(28_800_000), 0, 0]
  const settings = { effective_from: from, time_zone: 'Europe/Berlin', target_ms, week_starts_on: 1, note: '' }
  const without = { break_policy: null, auto_close: null, hints: null, core_time: null, frame: null, holidays: null }
  return { ...settings, ...without, vacation: null, limits: null }
}

export function correction(delta_ms: number): Content<'balance_adjustments'> {
  return { effective_date: '2026-11-02', delta_ms, kind: 'correction', reason: 'forgotten' }
}
