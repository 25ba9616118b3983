import type { Sheet, SheetDay } from '@saldo/client/export'
import { addDays, datesOfMonth, type Interval, type LocalDate, monthOf } from '@saldo/core'
import type { Format } from '../../context/format.ts'

/** The dates that a sheet names. */
interface SheetDates {
  /** True if its range is a month. */
  isMonth: boolean
  /** The date of the balance carried in. */
  balanceInDate: LocalDate
  /** The last date of the range that counts, which is that of the balance carried out. */
  lastCounted: LocalDate
}

/** Returns the dates that a sheet names. No balance is of a date that does not count yet. */
export function datesOfSheet({ range, countedTo }: Pick<Sheet, 'range' | 'countedTo'>): SheetDates {
  const month = datesOfMonth(monthOf(range.from))
  return {
    isMonth: month.from === range.from && month.to === range.to,
    balanceInDate: earlier(countedTo, addDays(range.from, -1)),
    lastCounted: earlier(countedTo, range.to),
  }
}

function earlier(a: LocalDate, b: LocalDate): LocalDate {
  return a < b ? a : b
}

/** Returns the times of a block of work on a day; with their zone on the day of a clock change. */
export function blockText(
  { start, end }: Interval,
  { zone, hasClockChange }: Pick<SheetDay, 'zone' | 'hasClockChange'>,
  format: Format,
): string {
  const timeText = hasClockChange ? format.timeWithZone : format.time
  return `${timeText(start, zone)}–${timeText(end, zone)}`
}
