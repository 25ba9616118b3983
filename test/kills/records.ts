import { addDays, type ContentInput, type IsoWeek, weekOf } from '@saldo/core'
import type { Chance } from '../simulation/chance.ts'

/** The first day of the account. */
const FIRST = '2024-01-01'
/** So many that a change of settings recomputes more days than a transaction does. */
const WEEKS = 60

/** The weeks that are closed meanwhile, in order. */
export const weeks: readonly IsoWeek[] = Array.from({ length: WEEKS }, (_, index) => weekOf(addDays(FIRST, 7 * index)))

/** Some hours of work, on any day of those weeks. */
export function someWork(chance: Chance, note: string): ContentInput<'entries'> {
  const date = addDays(FIRST, chance.below(7 * WEEKS))
  const hour = String(9 + chance.below(10)).padStart(2, '0')
  return { kind: 'work', started_at: `${date}T08:00:00.000Z`, ended_at: `${date}T${hour}:30:00.000Z`, note }
}

/** Some hours a day from the first day on. */
export function someSettings(hours: number, note: string): ContentInput<'settings_history'> {
  return {
    effective_from: FIRST,
    time_zone: 'Europe/Berlin',
    target_ms: [...Array<number>(5).fill(hours * 3_600_000), 0, 0],
    note,
  }
}
