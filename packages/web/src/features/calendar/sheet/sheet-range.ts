import { type DateRange, daysBetween } from '@saldo/core'

/** More is no sheet that anybody signs, and slow to draw. */
const MAX_DAYS = 366

/** Returns the reason why there is no sheet of a range, if there is one. */
export function rangeProblem({ from, to }: DateRange): 'order' | 'length' | undefined {
  if (from > to) return 'order'
  return daysBetween(from, to) >= MAX_DAYS ? 'length' : undefined
}
