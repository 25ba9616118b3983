import { type ContentInput, DAY_MS, HOUR_MS, type JsonObject, type RecordId } from '@saldo/core'

/** A tag that the service fails at. */
export const POISON = 'poison'

/** The records that all devices edit, so that they meet. */
export const ids = ['1', '2', '3'].map((digit) => `00000000-0000-4000-8000-00000000000${digit}` as const)
export const periodEnds = ['2026-10-25', '2026-10-28', '2026-11-01', '2026-11-12']
export const weeks = ['2026-W43', '2026-W44', '2026-W45', '2026-W46']
export const kinds = ['entries', 'entries', 'settings_history', 'balance_adjustments'] as const
export type Kind = (typeof kinds)[number]

/** One of a list, the same for the same number. */
export const at = <T>(list: readonly T[], n: number): T | undefined => list[n % list.length]

const date = (n: number) => new Date(Date.parse('2026-10-19') + (n % 28) * DAY_MS).toISOString().slice(0, 10)

/** The `source` of imported entries. */
export const BATCH = 'toggl-import'
const FILE_ROWS = 6

/** The entries of a file that all devices import: the same ids and contents each time. */
export function importedEntries(mark: string): { id: RecordId; content: ContentInput<'entries'> }[] {
  return Array.from({ length: FILE_ROWS }, (_, row) => ({
    id: `00000000-0000-4000-8000-0000000000a${row}`,
    content: {
      kind: 'work',
      started_at: `${date(row)}T14:00:00Z`,
      ended_at: `${date(row)}T15:00:00Z`,
      note: `${mark}row ${row}`,
      source: BATCH,
      import_ref: `toggl:${row}`,
    },
  }))
}

/** Content whose note is unique among all edits. */
export function contentOf(kind: Kind, note: string, n: number): JsonObject {
  switch (kind) {
    case 'entries': {
      if (n % 10 === 0) return { kind: 'paid_other', date: date(n), amount_ms: 1 + (n % 24) * HOUR_MS, note }
      if (n % 5 === 0) return { kind: 'sick', date: date(n), day_share: 0.5, note }
      const ended_at = n % 3 === 0 ? null : `${date(n)}T${10 + (n % 9)}:00:00Z`
      const tags = n % 31 === 1 ? [POISON] : []
      return { kind: 'work', started_at: `${date(n)}T08:00:00Z`, ended_at, counts: n % 7 !== 3, note, tags }
    }
    case 'settings_history': {
      const auto_close = n % 4 === 0 ? { day_after_ms: DAY_MS, week_after_days: 1 } : null
      const week = (hours: number) => [...Array<number>(5).fill(hours * 3_600_000), 0, 0]
      const target_ms = n % 3 === 0 ? [...week(4 + (n % 5)), ...week(3)] : week(4 + (n % 5))
      // In these weeks there is one holiday in Bavaria, on a Sunday, and none in Berlin.
      const partial = n % 2 === 0 ? { '10-30': 0.5, '11-03': 1 } : { '11-03': 0.25 }
      const holidays = n % 5 < 2 ? { country: 'DE', state: n % 5 === 0 ? 'BY' : 'BE', partial } : null
      const period_ends = periodEnds.map((end) => end.slice(5))
      const rule = { green_ms: 0, yellow_ms: n * HOUR_MS, period_ends, keep_at_most_ms: n }
      const limits = n % 7 > 0 ? rule : null
      return { effective_from: date(n), time_zone: 'Europe/Berlin', target_ms, auto_close, holidays, limits, note }
    }
    case 'balance_adjustments': {
      // Two large ones are more than a balance may hold, so the second is refused.
      const delta_ms = n % 6 === 0 ? 3 * 2 ** 50 : n % 6 < 3 ? 500 * HOUR_MS : 1 + n
      return { effective_date: date(n), delta_ms, kind: 'correction', reason: note }
    }
  }
}
