import { isInMonth } from './date.ts'
import type { EpochMs, Instant } from './values.ts'

const CANONICAL = /^(?!0000)\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/
const RFC_3339 = /^(\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d)(?:(\.\d{1,3})\d*)?([Zz]|[+-]\d\d:\d\d)$/

/** Returns an instant in milliseconds; throws a `RangeError` if it is not one. For input use `normalizeInstant`. */
export function epochMs(instant: Instant): EpochMs {
  const ms = Date.parse(instant)
  if (Number.isNaN(ms)) throw new RangeError(`not an instant: ${instant}`)
  return ms
}

/** Returns milliseconds as an instant; `ms` must be in the years 1 to 9999. */
export function instantOf(ms: EpochMs): Instant {
  return new Date(ms).toISOString() as Instant
}

/** True if `text` is a canonical instant: RFC 3339 in UTC with three decimals, in the years 1 to 9999 (D1.4). */
export function isInstant(text: string): text is Instant {
  return CANONICAL.test(text) && isInMonth(text)
}

/**
 * Returns any RFC 3339 date-time in canonical form, `undefined` if `text` is not one or is outside the years 1 to 9999.
 * Digits beyond milliseconds are cut off; a leap second is read as the second before it.
 */
export function normalizeInstant(text: string): Instant | undefined {
  if (isInstant(text)) return text
  const [matched, seconds = '', decimals = '', offset = ''] = RFC_3339.exec(text) ?? []
  if (matched === undefined) return undefined
  let ms: number
  try {
    ms = Temporal.Instant.from((seconds + decimals + offset).toUpperCase()).epochMilliseconds
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
  const canonical = instantOf(ms)
  return isInstant(canonical) ? canonical : undefined
}
