import { buildTimeline, type LocalDate, rangeInForce, type Settings, settingsOn } from '@saldo/core'

/** A setting that can differ from the row before. */
export type PeriodPart = (typeof parts)[number]

export const parts = [
  'target_ms',
  'break_policy',
  'auto_close',
  'time_zone',
  'hints',
  'core_time',
  'frame',
  'vacation',
  'holidays',
  'limits',
] as const

/** A settings row with the dates on which it is in force. */
export interface SchedulePeriod {
  record: Settings
  from: LocalDate
  /** `null` if it has no end. */
  to: LocalDate | null
  /** `shadowed`: another row of the same date is in force instead. */
  state: 'past' | 'now' | 'future' | 'shadowed'
  changed: readonly PeriodPart[]
}

/** Returns the settings that a period names beside its hours: all of them if it is in force, else what it changed. */
export function namedParts({
  state,
  changed,
}: Pick<SchedulePeriod, 'state' | 'changed'>): Exclude<PeriodPart, 'target_ms'>[] {
  return (state === 'now' ? parts : changed).filter((part) => part !== 'target_ms')
}

/** Returns the settings over time, the latest first. */
export function periodsOf(rows: readonly Settings[], today: LocalDate): SchedulePeriod[] {
  const timeline = buildTimeline(rows)
  const current = settingsOn(timeline, today)
  const inForce = new Set(timeline.map(({ id }) => id))
  const stateOf = ({ id, effective_from }: Settings): SchedulePeriod['state'] => {
    if (!inForce.has(id)) return 'shadowed'
    if (id === current?.id) return 'now'
    return effective_from > today ? 'future' : 'past'
  }
  return rows
    .toSorted((a, b) => b.effective_from.localeCompare(a.effective_from) || (inForce.has(a.id) ? -1 : 1))
    .map((record) => {
      const { from, to } = rangeInForce(timeline, record.effective_from)
      const before = timeline.findLast(({ effective_from }) => effective_from < from)
      return {
        record,
        from,
        to,
        state: stateOf(record),
        changed: before
          ? parts.filter((part) => JSON.stringify(before[part] ?? null) !== JSON.stringify(record[part] ?? null))
          : parts,
      }
    })
}
