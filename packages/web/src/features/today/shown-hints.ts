import { stoppedAt } from '@saldo/client/entries'
import { type DayHint, dayHints, type EpochMs } from '@saldo/core'
import type { Day } from '../../domain/entries/useDay.ts'

/** Returns the hints of a day. Running work counts up to now; core time can be missed only once the day is over. */
export function shownHints(
  { entries, timeline, date, today }: Pick<Day, 'entries' | 'timeline' | 'date' | 'today'>,
  nowMs: EpochMs,
): DayHint[] {
  const hints = dayHints(stoppedAt(entries, nowMs), timeline, date)
  return hints.filter(({ code }) => date < today || code !== 'core_time_missed')
}
