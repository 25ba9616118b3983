import { useState } from 'react'
import { useLocation } from 'wouter'
import { useHistoryState } from 'wouter/use-browser-location'
import type { Selection } from './calendar-model.ts'
import { type Period, pathOf, periodOfDate } from './period.ts'

export interface DateSelection {
  selection: Selection | undefined
  /** True if a key led here from another month or year: the grid then focuses the date. */
  wasCarriedOver: boolean
  /** Selects dates, and navigates to the period that shows them. */
  select(selection: Selection | undefined): void
}

export function useSelection(period: Period): DateSelection {
  const [, go] = useLocation()
  const carried = useHistoryState<{ selection?: Selection } | null>()?.selection
  const [selection, setSelection] = useState(carried)
  return {
    selection,
    wasCarriedOver: carried !== undefined,
    select(next) {
      const path = pathOf(next ? periodOfDate(next.head, period) : period)
      if (path === pathOf(period)) setSelection(next)
      else go(path, { state: { selection: next } })
    },
  }
}
