/*
 * The types of values. They cost nothing at run time. The compiler refuses a plain `string` in place of a date, and a
 * value of one type in place of another; a value enters through the check of its type, such as `isDate`.
 */

/** An instant as text, RFC 3339 in UTC with exactly three decimals (D1.4): byte order is time order. */
export type Instant = `${number}-${number}-${number}T${string}Z`
/** A calendar date, `2026-11-21`, in the years 1 to 9999: byte order is time order. */
export type LocalDate = `${number}-${number}-${number}`
/** A calendar month, `2026-11`. */
export type Month = `${number}-${number}`
/** An ISO 8601 week, `2026-W47`: from Monday to Sunday, in the year that holds its Thursday. */
export type IsoWeek = `${number}-W${number}`
/** The id of a record: a UUID in lower-case text (D1.9). */
export type RecordId = `${string}-${string}-${string}-${string}-${string}`

/** A number that is not assignable to another named number. A plain number is, so arithmetic needs no casts. */
type Named<Name extends string> = number & { readonly __name?: Name }

/** Milliseconds since 1970-01-01T00:00:00Z. */
export type EpochMs = Named<'EpochMs'>
/** A length of time or a delta in whole milliseconds, |x| ≤ 2^53 − 1 (D1.8). */
export type DurationMs = Named<'DurationMs'>
/** The number of a user: a whole number above 0, drawn at random (D6.19). No other number is assignable. */
export type UserNumber = number & { readonly __name: 'UserNumber' }

/** A second in milliseconds. */
export const SECOND_MS: DurationMs = 1_000
/** A minute in milliseconds. */
export const MINUTE_MS: DurationMs = 60 * SECOND_MS
/** An hour in milliseconds. */
export const HOUR_MS: DurationMs = 60 * MINUTE_MS
/** 24 hours in milliseconds. A calendar day can be shorter or longer. */
export const DAY_MS: DurationMs = 24 * HOUR_MS
