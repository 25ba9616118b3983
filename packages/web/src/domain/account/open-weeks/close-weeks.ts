import type { Closings } from '@saldo/client'
import type { IsoWeek } from '@saldo/core'

/** Returns the step that closes weeks one after another; its undo reopens those that it has closed. */
export function stepOfWeeks(closings: Closings<IsoWeek>, weeks: readonly IsoWeek[]) {
  const closed: IsoWeek[] = []
  return {
    async make() {
      for (const week of weeks) {
        await closings.close(week)
        closed.push(week)
      }
    },
    async takeBack() {
      for (const week of closed) await closings.reopen(week)
    },
  }
}
