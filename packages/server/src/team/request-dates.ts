import { type DateRange, datesIn } from '@saldo/core'

/** Returns the number of dates in ranges that do not overlap. */
export function countDates(ranges: readonly DateRange[]): number {
  return ranges.reduce((sum, range) => sum + [...datesIn(range)].length, 0)
}
