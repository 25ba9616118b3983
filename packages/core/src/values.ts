/**
 * A string or number with a name that the compiler checks: a value of another named type is not assignable, a plain one
 * is, so literals and arithmetic need no casts. There is nothing of it at run time.
 */
type Named<Value extends string | number, Name extends string> = Value & { readonly __name?: Name }

/** An instant as text, RFC 3339 in UTC with exactly three decimals (D1.4): byte order is time order. */
export type Instant = Named<string, 'Instant'>
/** Milliseconds since 1970-01-01T00:00:00Z. */
export type EpochMs = Named<number, 'EpochMs'>
/** A length of time or a delta in whole milliseconds, |x| ≤ 2^53 − 1 (D1.8). */
export type DurationMs = Named<number, 'DurationMs'>
/** A calendar date, `2026-11-21`, in the years 1 to 9999: byte order is time order. */
export type LocalDate = Named<string, 'LocalDate'>
/** An ISO 8601 week, `2026-W47`: from Monday to Sunday, in the year that holds its Thursday. */
export type IsoWeek = Named<string, 'IsoWeek'>
/** The id of a record: a UUID in lower-case text (D1.9). */
export type RecordId = Named<string, 'RecordId'>
/** The number of a user: a whole number, drawn at random (D6.19). */
export type UserNumber = Named<number, 'UserNumber'>

export const SECOND_MS: DurationMs = 1_000
export const MINUTE_MS: DurationMs = 60 * SECOND_MS
export const HOUR_MS: DurationMs = 60 * MINUTE_MS
export const DAY_MS: DurationMs = 24 * HOUR_MS
