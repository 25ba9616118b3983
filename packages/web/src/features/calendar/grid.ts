import { addDays, type DateRange, HOUR_MS, type LocalDate, weekdayIndex } from '@saldo/core'

/** Dates in rows of a week; `null` where a week reaches beyond the range. `weekStartsOn` is 1 for Monday to 7. */
export function weeksOf({ from, to }: DateRange, weekStartsOn: number): (LocalDate | null)[][] {
  const weeks: (LocalDate | null)[][] = []
  for (let start = weekStart(from, weekStartsOn); start <= to; start = addDays(start, 7)) {
    const week = Array.from({ length: 7 }, (_, day) => addDays(start, day))
    weeks.push(week.map((date) => (date >= from && date <= to ? date : null)))
  }
  return weeks
}

/** Seven dates whose names are those of the columns. */
export function columnsOf(weekStartsOn: number): LocalDate[] {
  const start = weekStart('2026-01-05', weekStartsOn)
  return Array.from({ length: 7 }, (_, day) => addDays(start, day))
}

function weekStart(date: LocalDate, weekStartsOn: number): LocalDate {
  return addDays(date, -((weekdayIndex(date) - (weekStartsOn - 1) + 7) % 7))
}

/** Where a key leads from a date in a grid of weeks; `undefined` for keys that move nothing. */
export function movedBy(key: string, date: LocalDate, weekStartsOn: number): LocalDate | undefined {
  const months = (count: number) => Temporal.PlainDate.from(date).add({ months: count }).toString()
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

const borders = [0, 4, 7, 9].map((hours) => hours * HOUR_MS)

/** How strongly a day is coloured by the time worked on it: 0 for none, 4 for more than nine hours. */
export function heatOf(workedMs: number): number {
  return borders.filter((border) => workedMs > border).length
}

/** The lengths above which a day is coloured more strongly. */
export const heatBorders: readonly number[] = borders
