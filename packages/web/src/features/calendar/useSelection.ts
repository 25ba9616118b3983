import type { DateRange, LocalDate } from '@saldo/core'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { useHistoryState } from 'wouter/use-browser-location'
import { type Place, pathOf, placeWith, rangeOf } from './place.ts'

/** The dates that a person chose: from where they began to where they are, in whichever order. */
export interface Selection {
  anchor: LocalDate
  head: LocalDate
}

export interface Choosing {
  selection: Selection | undefined
  /** Whether a key led here from another month or year, so that the focus belongs on the date. */
  isCarried: boolean
  /** Chooses, and goes where the date is shown. */
  select(selection: Selection | undefined): void
}

export function useSelection(place: Place): Choosing {
  const [, go] = useLocation()
  const carried = useHistoryState<{ selection?: Selection } | null>()?.selection
  const [selection, setSelection] = useState(carried)
  const { from, to } = rangeOf(place)
  return {
    selection,
    isCarried: carried !== undefined,
    select(next) {
      if (!next || (next.head >= from && next.head <= to)) setSelection(next)
      else go(pathOf(placeWith(next.head, place)), { state: { selection: next } })
    },
  }
}

export function rangeSelected({ anchor, head }: Selection): DateRange {
  return anchor < head ? { from: anchor, to: head } : { from: head, to: anchor }
}
