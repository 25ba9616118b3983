/**
 * The meaning of a text: one value, one of several that somebody has to choose from, or none. A doubtful text is never
 * stored without asking (D32.1).
 */
export type Reading<T> =
  | { kind: 'certain'; value: T }
  | { kind: 'doubtful'; choices: readonly T[] }
  | { kind: 'nothing' }

export const NOTHING = { kind: 'nothing' } as const

/** Returns the reading of a text that can mean any of some values, the likeliest first. */
export function readingOfValues<T>(values: readonly T[]): Reading<T> {
  const choices = [...new Set(values)]
  const [value, ...others] = choices
  if (value === undefined) return NOTHING
  return others.length === 0 ? { kind: 'certain', value } : { kind: 'doubtful', choices }
}

/** Returns all values that a text can mean. */
export function allValues<T>(reading: Reading<T>): readonly T[] {
  if (reading.kind === 'nothing') return []
  return reading.kind === 'certain' ? [reading.value] : reading.choices
}

/** Returns a reading with its values changed. */
export function mapReading<T, U>(reading: Reading<T>, change: (value: T) => U): Reading<U> {
  return readingOfValues(allValues(reading).map(change))
}

/** Returns the value of a text that has just one. */
export function certainValue<T>(reading: Reading<T>): T | undefined {
  return reading.kind === 'certain' ? reading.value : undefined
}
