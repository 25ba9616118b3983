import { type LocalDate, rangeInForce, type Settings, settingsOn, timelineOf } from '@saldo/core'

/** What of a row differs from the one before it. */
export type Part = (typeof parts)[number]

export const parts = ['target_ms', 'break_policy', 'auto_close', 'time_zone', 'week_starts_on'] as const

/** A row of the settings with the dates that it governs. */
export interface Period {
  record: Settings
  from: LocalDate
  /** `null` where it has no end. */
  to: LocalDate | null
  /** `shadowed`: another row of the same date counts in its place. */
  state: 'past' | 'now' | 'future' | 'shadowed'
  changed: readonly Part[]
}

/** The settings over time, the latest first. */
export function periodsOf(rows: readonly Settings[], today: LocalDate): Period[] {
  const timeline = timelineOf(rows)
  const current = settingsOn(timeline, today)
  const counting = new Set(timeline.map(({ id }) => id))
  return rows
    .toSorted((a, b) => b.effective_from.localeCompare(a.effective_from) || (counting.has(a.id) ? -1 : 1))
    .map((record) => {
      const { from, to } = rangeInForce(timeline, record.effective_from)
      const before = timeline.findLast(({ effective_from }) => effective_from < from)
      const when = from > today ? 'future' : 'past'
      const state = record.id === current?.id ? 'now' : when
      return {
        record,
        from,
        to,
        state: counting.has(record.id) ? state : 'shadowed',
        changed: before ? parts.filter((part) => !isSame(before[part], record[part])) : parts,
      }
    })
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
