import { instantAt, readTime } from '@saldo/client/entries'
import type { EpochMs } from '@saldo/core'
import type { Day } from '../../domain/entries/useDay.ts'

/** Returns the typed start of a timer on a day; `undefined` means now. `isAhead` is true if it is in the future. */
export function typedStart(
  text: string,
  { date, zone }: Pick<Day, 'date' | 'zone'>,
  nowMs: EpochMs,
): { startMs: EpochMs | undefined; isAhead: boolean } {
  const minutes = readTime(text)
  if (minutes === undefined) return { startMs: undefined, isAhead: false }
  const startMs = instantAt(date, minutes, zone)
  return { startMs, isAhead: startMs > nowMs }
}
