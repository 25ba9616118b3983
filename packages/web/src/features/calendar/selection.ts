import type { DateRange, LocalDate } from '@saldo/core'

/** Selected dates, from the first one to the current one. `head` may be before `anchor`. */
export interface Selection {
  anchor: LocalDate
  head: LocalDate
}

/** Returns the selected dates in order. */
export function rangeSelected({ anchor, head }: Selection): DateRange {
  return anchor < head ? { from: anchor, to: head } : { from: head, to: anchor }
}

/** True if a date is selected. */
export function isSelected(selection: Selection | undefined, date: LocalDate): boolean {
  if (!selection) return false
  const { from, to } = rangeSelected(selection)
  return date >= from && date <= to
}

/** Returns the smallest range that has all dates of a range and another date. */
export function rangeWith({ from, to }: DateRange, date: LocalDate): DateRange {
  return { from: date < from ? date : from, to: date > to ? date : to }
}

/** Returns the selection of a date: with an older one to extend, from where that began. */
export function selectionOf(head: LocalDate, extended: Selection | undefined): Selection {
  return { anchor: extended?.anchor ?? head, head }
}

/** An event of a pointer or a click, as the browser has it. */
export interface PointedEvent {
  type: string
  pointerType?: string
  button: number
  buttons: number
  /** Number of clicks; 0 for one by key. */
  detail: number
  shiftKey: boolean
}

/**
 * Returns the selection after a pointer event on a date; `undefined` if the event selects nothing. A mouse selects on
 * press and extends while it is held, touch and pen select on release, so that a swipe scrolls; clicks count by key
 * alone.
 */
export function selectionAfter(
  { type, pointerType, button, buttons, detail, shiftKey }: PointedEvent,
  date: LocalDate,
  selection: Selection | undefined,
): Selection | undefined {
  const isMouse = pointerType === 'mouse'
  const selected = selectionOf(date, shiftKey ? selection : undefined)
  switch (type) {
    case 'click':
      return detail === 0 ? selected : undefined
    case 'pointerdown':
      return isMouse && button === 0 ? selected : undefined
    case 'pointerup':
      return isMouse ? undefined : selected
    case 'pointerover':
      return isMouse && buttons === 1 && selection && date !== selection.head ? selectionOf(date, selection) : undefined
    default:
      return undefined
  }
}
