import { addDays, type LocalDate } from '@saldo/core'

/** The dates that a field takes, both included. */
interface Limits {
  min: LocalDate | undefined
  max: LocalDate | undefined
}

export function isWithin(date: LocalDate, { min, max }: Limits): boolean {
  return date >= (min ?? date) && date <= (max ?? date)
}

/** Returns the date that an arrow key steps to: up is later; `undefined` for other keys. */
export function dateByKey(key: string, date: LocalDate): LocalDate | undefined {
  const days = { ArrowUp: 1, ArrowDown: -1 }[key]
  return days === undefined ? undefined : addDays(date, days)
}
