import { isDate, type LocalDate } from '@saldo/core'
import { type KeyboardEvent, type MouseEvent, type PointerEvent, useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { useHistoryState } from 'wouter/use-browser-location'
import { type DaySelection, movedBy, selectionAfter, selectionOf, tabStopIn } from './calendar-model.ts'
import { datesOfPeriod, type Period, pathOf, periodOfDate } from './period.ts'
import type { Calendar } from './useCalendar.ts'

export interface DateSelection {
  selection: DaySelection | undefined
  /** True if a key led here from another month or year: the grid then focuses the date. */
  wasCarriedOver: boolean
  /** Selects dates, and navigates to the period that shows them. */
  select(selection: DaySelection | undefined): void
}

export function useSelection(period: Period): DateSelection {
  const [, go] = useLocation()
  const carried = useHistoryState<{ selection?: DaySelection } | null>()?.selection
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

/**
 * Selects dates by click, mouse drag and arrow keys; Shift extends the selection, Enter opens it. The grid is one stop
 * for the Tab key.
 */
export function useGrid({ period, today, weekStartsOn }: Calendar, dateSelection: DateSelection, onOpen: () => void) {
  const { selection, select, wasCarriedOver } = dateSelection
  const ref = useRef<HTMLDivElement>(null)
  const shouldFocus = useRef(wasCarriedOver)

  useEffect(() => {
    if (!shouldFocus.current || !selection) return
    shouldFocus.current = false
    ref.current?.querySelector<HTMLElement>(`[data-date="${selection.head}"]`)?.focus()
  }, [selection])

  const point = (event: PointerEvent | MouseEvent) => {
    const date = dateOf(event.target)
    const next = date && selectionAfter(event, date, selection)
    if (next) select(next)
  }

  return {
    /** The date that the Tab key leads to. */
    tabStop: tabStopIn(datesOfPeriod(period), selection?.head, today),
    props: {
      ref,
      onClick: point,
      onPointerDown: point,
      onPointerUp: point,
      onPointerOver: point,
      onKeyDown(event: KeyboardEvent) {
        const date = dateOf(event.target)
        if (!date || event.ctrlKey || event.metaKey || event.altKey) return
        if (event.key === 'Enter') {
          event.preventDefault()
          if (!selection) select(selectionOf(date, undefined))
          onOpen()
          return
        }
        const moved = movedBy(event.key, date, weekStartsOn)
        if (!moved) return
        event.preventDefault()
        shouldFocus.current = true
        const extended = selection?.head === date ? selection : selectionOf(date, undefined)
        select(selectionOf(moved, event.shiftKey ? extended : undefined))
      },
    },
  }
}

function dateOf(target: EventTarget): LocalDate | undefined {
  const date = target instanceof Element ? target.closest('[data-date]')?.getAttribute('data-date') : undefined
  return date && isDate(date) ? date : undefined
}
