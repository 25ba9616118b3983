import {
  type AwayDates,
  type AwayPage,
  type DateRange,
  datesIn,
  intersection,
  isDate,
  type LocalDate,
  type Month,
} from '@saldo/core'

/** Parses the month of an address; without one, that of today. */
export function parseMonth(text: string | undefined, today: LocalDate): Month | undefined {
  if (text === undefined) return today.slice(0, 7) as Month
  return /^\d{4}-\d{2}$/.test(text) && isDate(`${text}-01`) ? (text as Month) : undefined
}

/** A date on which somebody is away: the sight of it, and whether it begins or ends dates that are alike. */
export interface AwayCell extends Pick<AwayDates, 'sight' | 'kind'> {
  isFirst: boolean
  isLast: boolean
}

/** Returns the cells of a person's dates in a range. */
export function cellsOf(dates: readonly AwayDates[], range: DateRange): Map<LocalDate, AwayCell> {
  const cells = new Map<LocalDate, AwayCell>()
  for (const { from, to, sight, kind } of dates) {
    for (const date of datesIn(intersection({ from, to }, range))) {
      cells.set(date, { sight, ...(kind && { kind }), isFirst: date === from, isLast: date === to })
    }
  }
  return cells
}

/** A person's dates in the list. */
export interface AwayLine extends AwayDates {
  name: string
  user_id: number
}

/** Returns the dates of all people in a range that are not over, in their order, and else in that of the people. */
export function linesOf(items: AwayPage['items'], range: DateRange, today: LocalDate): AwayLine[] {
  return items
    .flatMap(({ user_id, name, dates }) => dates.map((each) => ({ user_id, name, ...each })))
    .filter(({ from, to }) => from <= range.to && to >= range.from && (to >= today || range.to < today))
    .toSorted((a, b) => a.from.localeCompare(b.from))
}

/** Returns how many people are away on each date of a range, in part too. Requests do not count. */
export function countsOf(items: AwayPage['items'], range: DateRange): Map<LocalDate, number> {
  const counts = new Map<LocalDate, number>()
  for (const { dates } of items) {
    for (const [date, { sight }] of cellsOf(dates, range)) {
      if (sight !== 'asked') counts.set(date, (counts.get(date) ?? 0) + 1)
    }
  }
  return counts
}
