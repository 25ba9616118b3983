import { addDays, type DateRange, FIRST_EFFECTIVE_DATE, type LocalDate } from '@saldo/core'

/** What the calendar shows: a month, or a whole year. */
export interface Place {
  year: number
  /** 1 to 12; `undefined` for the year. */
  month: number | undefined
}

const FIRST_YEAR = Number(FIRST_EFFECTIVE_DATE.slice(0, 4))
const LAST_YEAR = 9998

/** Reads the parts of a path; what is none is today's month. */
export function placeOf(params: Partial<Record<'year' | 'month', string | undefined>>, today: LocalDate): Place {
  const year = Number(params.year)
  const here = { year: Number(today.slice(0, 4)), month: Number(today.slice(5, 7)) }
  if (!Number.isInteger(year) || year < FIRST_YEAR || year > LAST_YEAR) return here
  if (params.month === undefined) return { year, month: undefined }
  const month = Number(params.month)
  return Number.isInteger(month) && month >= 1 && month <= 12 ? { year, month } : { year, month: undefined }
}

export function pathOf({ year, month }: Place): string {
  return month === undefined ? `/calendar/${year}` : `/calendar/${year}/${month}`
}

/** The place that shows a date as another place shows its own. */
export function placeWith(date: LocalDate, like: Place): Place {
  const month = Number(date.slice(5, 7))
  return { year: Number(date.slice(0, 4)), month: like.month === undefined ? undefined : month }
}

/** The place `steps` months or years on. */
export function stepped({ year, month }: Place, steps: number): Place {
  if (month === undefined) return { year: year + steps, month }
  const index = year * 12 + month - 1 + steps
  return { year: Math.floor(index / 12), month: (index % 12) + 1 }
}

export function rangeOf({ year, month }: Place): DateRange {
  const next = stepped({ year, month }, 1)
  return { from: firstOf(year, month ?? 1), to: addDays(firstOf(next.year, next.month ?? 1), -1) }
}

function firstOf(year: number, month: number): LocalDate {
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-01`
}
