import { addDays, type DateRange, type LocalDate } from '@saldo/core'

/** Returns the range that ends on a date and begins some days before it. */
export function daysBackFrom(date: LocalDate, days: number): DateRange {
  return { from: addDays(date, -days), to: date }
}

/** Returns a range with some days more at its beginning, and as many at its end. */
export function widened({ from, to }: DateRange, days: number): DateRange {
  return { from: addDays(from, -days), to: addDays(to, days) }
}

/**
 * Returns a date and the days around it, whose entries a view of it reads: without settings, the client may use another
 * time zone.
 */
export function daysAround(date: LocalDate): DateRange {
  return widened({ from: date, to: date }, 1)
}
