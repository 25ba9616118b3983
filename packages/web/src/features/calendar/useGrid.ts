import type { LocalDate } from '@saldo/core'
import { type KeyboardEvent, type MouseEvent, type PointerEvent, useEffect, useRef } from 'react'
import { movedBy } from './grid.ts'
import { rangeOf } from './place.ts'
import type { Calendar } from './useCalendar.ts'
import type { Choosing } from './useSelection.ts'

/**
 * How dates are chosen: by a click, by dragging a mouse, by arrow keys, with Shift up to there; Enter opens. The grid
 * is one stop for the Tab key.
 */
export function useGrid({ place, today, weekStartsOn }: Calendar, choosing: Choosing, onOpen: () => void) {
  const { selection, select, isCarried } = choosing
  const ref = useRef<HTMLDivElement>(null)
  const isFocusWanted = useRef(isCarried)
  const { from, to } = rangeOf(place)
  const isShown = (date: LocalDate | undefined): date is LocalDate => date !== undefined && date >= from && date <= to
  const stop = [selection?.head, today].find(isShown) ?? from

  useEffect(() => {
    if (!isFocusWanted.current || !selection) return
    isFocusWanted.current = false
    ref.current?.querySelector<HTMLElement>(`[data-date="${selection.head}"]`)?.focus()
  }, [selection])

  const choose = (head: LocalDate, isFurther: boolean) =>
    select({ anchor: isFurther && selection ? selection.anchor : head, head })

  return {
    /** The date that the Tab key leads to. */
    stop,
    props: {
      ref,
      onClick(event: MouseEvent) {
        const date = dateOf(event.target)
        // A mouse has chosen already, as it was pressed.
        if (date && event.detail === 0) choose(date, event.shiftKey)
      },
      onPointerDown(event: PointerEvent) {
        const date = event.button === 0 ? dateOf(event.target) : undefined
        if (date && event.pointerType === 'mouse') choose(date, event.shiftKey)
      },
      onPointerUp(event: PointerEvent) {
        const date = dateOf(event.target)
        if (date && event.pointerType !== 'mouse') choose(date, event.shiftKey)
      },
      onPointerOver(event: PointerEvent) {
        const date = event.buttons === 1 && event.pointerType === 'mouse' ? dateOf(event.target) : undefined
        if (date && selection && date !== selection.head) choose(date, true)
      },
      onKeyDown(event: KeyboardEvent) {
        const date = dateOf(event.target)
        if (!date || event.ctrlKey || event.metaKey || event.altKey) return
        if (event.key === 'Enter') {
          event.preventDefault()
          if (!selection) choose(date, false)
          onOpen()
          return
        }
        const moved = movedBy(event.key, date, weekStartsOn)
        if (!moved) return
        event.preventDefault()
        isFocusWanted.current = true
        choose(moved, event.shiftKey)
      },
    },
  }
}

function dateOf(target: EventTarget): LocalDate | undefined {
  return (target instanceof Element && target.closest('[data-date]')?.getAttribute('data-date')) || undefined
}
