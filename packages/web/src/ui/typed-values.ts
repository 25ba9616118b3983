import { allValues, type Reading } from '@saldo/client/reading'
import { addDays, type LocalDate } from '@saldo/core'

/** The outcome of a typed text: its value, several of which one is meant, why it is refused, or none. */
export type Typed<T> =
  | { kind: 'taken'; value: T }
  | { kind: 'asked'; choices: readonly T[] }
  | { kind: 'refused'; why: string }
  | { kind: 'unread' }

/** Returns what a field makes of a reading; `refuse` returns why it does not take a value. */
export function typedOf<T>(reading: Reading<T>, refuse: (value: T) => string | undefined): Typed<T> {
  const read = allValues(reading)
  if (read.length === 0) return { kind: 'unread' }
  const choices = read.filter((value) => refuse(value) === undefined)
  const [value, ...others] = choices
  if (value !== undefined) return others.length === 0 ? { kind: 'taken', value } : { kind: 'asked', choices }
  return { kind: 'refused', why: read.map(refuse).find((why) => why !== undefined) ?? '' }
}

/** The values that a field takes, both included. */
export interface Limits<T> {
  min: T | undefined
  max: T | undefined
}

/** Returns the limit that a value exceeds. */
export function exceededLimit<T extends string | number>(value: T, { min, max }: Limits<T>): 'min' | 'max' | undefined {
  if (min !== undefined && value < min) return 'min'
  return max !== undefined && value > max ? 'max' : undefined
}

/** Returns the date that an arrow key steps to: up is later; `undefined` for other keys. */
export function dateByKey(key: string, date: LocalDate): LocalDate | undefined {
  const days = { ArrowUp: 1, ArrowDown: -1 }[key]
  return days === undefined ? undefined : addDays(date, days)
}
