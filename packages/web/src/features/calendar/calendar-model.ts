import { addDays, type DateRange, type DurationMs, HOUR_MS, type LocalDate, weekdayIndex } from '@saldo/core'

/** Returns the dates of a range in weeks; `null` is a date beyond the range. `weekStartsOn` is 1 (Monday) to 7. */
export function weeksOfMonth({ from, to }: DateRange, weekStartsOn: number): (LocalDate | null)[][] {
  const weeks: (LocalDate | null)[][] = []
  for (let start = weekStart(from, weekStartsOn); start <= to; start = addDays(start, 7)) {
    const week = Array.from({ length: 7 }, (_, day) => addDays(start, day))
    weeks.push(week.map((date) => (date >= from && date <= to ? date : null)))
  }
  return weeks
}

/** Returns seven dates with the weekdays of the columns. */
export function columnsOf(weekStartsOn: number): LocalDate[] {
  const start = weekStart('2026-01-05', weekStartsOn)
  return Array.from({ length: 7 }, (_, day) => addDays(start, day))
}

function weekStart(date: LocalDate, weekStartsOn: number): LocalDate {
  return addDays(date, -((weekdayIndex(date) - (weekStartsOn - 1) + 7) % 7))
}

/** Returns the date that a key leads to; `undefined` for other keys. */
export function movedBy(key: string, date: LocalDate, weekStartsOn: number): LocalDate | undefined {
  const months = (count: number) => Temporal.PlainDate.from(date).add({ months: count }).toString() as LocalDate
  switch (key) {
    case 'ArrowLeft':
      return addDays(date, -1)
    case 'ArrowRight':
      return addDays(date, 1)
    case 'ArrowUp':
      return addDays(date, -7)
    case 'ArrowDown':
      return addDays(date, 7)
    case 'Home':
      return weekStart(date, weekStartsOn)
    case 'End':
      return addDays(weekStart(date, weekStartsOn), 6)
    case 'PageUp':
      return months(-1)
    case 'PageDown':
      return months(1)
    default:
      return undefined
  }
}

/** Returns the date that the Tab key leads to: the selected one or today, as far as it is shown, else the first. */
export function tabStopIn({ from, to }: DateRange, selected: LocalDate | undefined, today: LocalDate): LocalDate {
  const isShown = (date: LocalDate | undefined) => date !== undefined && date >= from && date <= to
  return [selected, today].find(isShown) ?? from
}

/** The worked times above which the next colour begins. */
export const heatBorders: readonly DurationMs[] = [0, 4, 7, 9].map((hours) => hours * HOUR_MS)

/** Returns the colour of a day by its worked time, from 0 (none) to 4 (more than nine hours). */
export function heatOf(workedMs: DurationMs): number {
  return heatBorders.filter((border) => workedMs > border).length
}

/** Selected dates, from the first one to the current one. `head` may be before `anchor`. */
export interface DaySelection {
  anchor: LocalDate
  head: LocalDate
}

/** Returns the selected dates in order. */
export function rangeSelected({ anchor, head }: DaySelection): DateRange {
  return anchor < head ? { from: anchor, to: head } : { from: head, to: anchor }
}

/** True if a date is selected. */
export function isSelected(selection: DaySelection | undefined, date: LocalDate): boolean {
  if (!selection) return false
  const { from, to } = rangeSelected(selection)
  return date >= from && date <= to
}

/** Returns the smallest range that has all dates of a range and another date. */
export function rangeWith({ from, to }: DateRange, date: LocalDate): DateRange {
  return { from: date < from ? date : from, to: date > to ? date : to }
}

/** Returns the selection of a date: with an older one to extend, from where that began. */
export function selectionOf(head: LocalDate, extended: DaySelection | undefined): DaySelection {
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
  selection: DaySelection | undefined,
): DaySelection | undefined {
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
