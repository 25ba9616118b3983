import type { Sheet } from '@saldo/client/export'
import { addDays, type LocalDate } from '@saldo/core'
import { periodOfDate, rangeOf } from '../period.ts'

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
  const month = rangeOf(periodOfDate(range.from, { year: 0, month: 1 }))
  return {
    isMonth: month.from === range.from && month.to === range.to,
    balanceInDate: earlier(countedTo, addDays(range.from, -1)),
    lastCounted: earlier(countedTo, range.to),
  }
}

function earlier(a: LocalDate, b: LocalDate): LocalDate {
  return a < b ? a : b
}
