import { addDays, type DateRange, FIRST_DATE, LAST_DATE, type LocalDate } from '@saldo/core'

/** The ranges that are offered; `other` is any range. */
export const rangeNames = ['all', 'thisMonth', 'lastMonth', 'thisYear', 'lastYear', 'other'] as const
export type RangeName = (typeof rangeNames)[number]

/** The dates of another range; an end that is empty is open. */
export interface OtherRange {
  from: LocalDate | ''
  to: LocalDate | ''
}

/** Returns the dates of a chosen range. */
export function exportedRange(name: RangeName, today: LocalDate, other: OtherRange): DateRange {
  const monthStart = `${today.slice(0, 8)}01` as LocalDate
  const year = Number(today.slice(0, 4))
  switch (name) {
    case 'other':
      return { from: other.from || FIRST_DATE, to: other.to || LAST_DATE }
    case 'all':
      return { from: FIRST_DATE, to: LAST_DATE }
    case 'thisMonth':
      return { from: monthStart, to: today }
    case 'lastMonth': {
      const to = addDays(monthStart, -1)
      return { from: `${to.slice(0, 8)}01` as LocalDate, to }
    }
    case 'thisYear':
      return { from: yearStart(year), to: today }
    case 'lastYear':
      return { from: yearStart(year - 1), to: addDays(yearStart(year), -1) }
  }
}

function yearStart(year: number): LocalDate {
  return `${String(year).padStart(4, '0')}-01-01` as LocalDate
}

/** Returns the end of a file's name that tells its range. */
export function rangeSuffix({ from, to }: DateRange, today: LocalDate): string {
  return from === FIRST_DATE ? today : `${from}-${to}`
}
