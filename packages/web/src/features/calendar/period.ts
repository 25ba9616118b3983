import { addDays, type DateRange, FIRST_EFFECTIVE_DATE, type LocalDate } from '@saldo/core'

/** A month or a year of the calendar. */
export interface Period {
  year: number
  /** 1 to 12; `undefined` for the year. */
  month: number | undefined
}

const FIRST_YEAR = Number(FIRST_EFFECTIVE_DATE.slice(0, 4))
const LAST_YEAR = 9998

/** Parses the parameters of the address; without a year, the month of today. `undefined` if there is no such period. */
export function parsePeriod(
  params: Partial<Record<'year' | 'month', string | undefined>>,
  today: LocalDate,
): Period | undefined {
  if (params.year === undefined) return { year: Number(today.slice(0, 4)), month: Number(today.slice(5, 7)) }
  const year = integerIn(params.year, FIRST_YEAR, LAST_YEAR)
  const month = params.month === undefined ? undefined : integerIn(params.month, 1, 12)
  if (year === undefined || (params.month !== undefined && month === undefined)) return undefined
  return { year, month }
}

function integerIn(text: string, least: number, most: number): number | undefined {
  const value = Number(text)
  return Number.isInteger(value) && value >= least && value <= most ? value : undefined
}

export function pathOf({ year, month }: Period): string {
  return month === undefined ? `/calendar/${year}` : `/calendar/${year}/${month}`
}

/** Returns the month or year of a date, as long as another period. */
export function periodOfDate(date: LocalDate, like: Period): Period {
  const month = Number(date.slice(5, 7))
  return { year: Number(date.slice(0, 4)), month: like.month === undefined ? undefined : month }
}

/** Returns the period `steps` months or years later. */
export function shifted({ year, month }: Period, steps: number): Period {
  if (month === undefined) return { year: year + steps, month }
  const index = year * 12 + month - 1 + steps
  return { year: Math.floor(index / 12), month: (index % 12) + 1 }
}

/** Returns the month to show of a year: the current one, or January of another year. */
export function monthIn(year: number, today: LocalDate): Period {
  const current = periodOfDate(today, { year, month: 1 })
  return current.year === year ? current : { year, month: 1 }
}

export function datesOfPeriod({ year, month }: Period): DateRange {
  const next = shifted({ year, month }, 1)
  return { from: firstOf(year, month ?? 1), to: addDays(firstOf(next.year, next.month ?? 1), -1) }
}

function firstOf(year: number, month: number): LocalDate {
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-01` as LocalDate
}
