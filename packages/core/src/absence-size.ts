import { shareOfDay } from './absence.ts'
import { inBillionths } from './day-units.ts'
import type { AbsenceSize } from './entry.ts'
import type { DurationMs } from './values.ts'

/** The size of a whole day. */
export const WHOLE_DAY: AbsenceSize = { day_share: 1, amount_ms: null }

/** Returns the size of a share of a day, above 0 and at most 1. */
export function sizeOfShare(share: number): AbsenceSize {
  return { day_share: share, amount_ms: null }
}

/** Returns the size of an amount of time, in milliseconds. */
export function sizeOfAmount(amountMs: DurationMs): AbsenceSize {
  return { day_share: null, amount_ms: amountMs }
}

/** True if a size is one that a record can have. */
export function isSize({ day_share, amount_ms }: AbsenceSize): boolean {
  return amount_ms === null ? day_share > 0 && day_share <= 1 : amount_ms > 0
}

/**
 * Returns as much of a size as other absences leave of a day, `undefined` if they leave nothing. Where amounts of time
 * are among them, the rest is an amount too.
 */
export function sizeLeft(
  wanted: AbsenceSize,
  others: readonly AbsenceSize[],
  plannedMs: DurationMs,
): AbsenceSize | undefined {
  const hasAmount = (size: AbsenceSize) => size.amount_ms !== null
  // Where no work is planned, an amount is no part of the day.
  if (plannedMs === 0 && hasAmount(wanted)) return wanted
  const taken = plannedMs === 0 ? others.filter((size) => !hasAmount(size)) : others
  const takenShare = taken.reduce((sum, size) => sum + shareOfDay(size, plannedMs), 0)
  if (wanted.amount_ms === null && !taken.some(hasAmount)) {
    const share = Math.min(wanted.day_share, inBillionths(1 - takenShare))
    return share > 0 ? sizeOfShare(share) : undefined
  }
  const leftMs = Math.floor((1 - takenShare) * plannedMs + 1e-3)
  if (leftMs <= 0) return undefined
  return (wanted.amount_ms ?? wanted.day_share * plannedMs) <= leftMs ? wanted : sizeOfAmount(leftMs)
}
