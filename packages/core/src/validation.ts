import * as v from 'valibot'
import { isDate, isMonthDay, isWeek } from './date.ts'
import type { InputError } from './errors.ts'
import { isUserNumber, isUuid, UUID } from './ids.ts'
import { isInstant, normalizeInstant } from './instant.ts'
import { escapePointer, findUnstorable } from './json.ts'
import type { DurationMs, Month, UserNumber } from './values.ts'
import { isZone } from './zone.ts'

/** The result of checking input: the value in canonical form, or its errors. */
export type Checked<T> = { ok: true; value: T } | { ok: false; errors: InputError[] }

/** Returns the result of a check that found one fault. */
export function invalid(pointer: string, detail: string): { ok: false; errors: InputError[] } {
  return { ok: false, errors: [{ pointer, detail }] }
}

const MAX_ERRORS = 20
/** Of larger input, the first error alone is looked for: making an error for each value would take long. */
const MAX_VALUES_WITH_ERRORS = 2_000

/**
 * Checks `input` against a schema; the pointers of its errors begin with `pointer`. At most 20 are returned, and one of
 * input with more than 2,000 values.
 */
export function check<S extends v.GenericSchema>(schema: S, input: unknown, pointer = ''): Checked<v.InferOutput<S>> {
  const first = v.safeParse(schema, input, { ...defaultMessage, abortEarly: true })
  if (first.success) return { ok: true, value: first.output }
  const all = isLarge(input) ? first : v.safeParse(schema, input, defaultMessage)
  const errors = (all.issues ?? []).slice(0, MAX_ERRORS).map((issue) => ({
    pointer: pointer + (issue.path ?? []).map(({ key }) => `/${escapePointer(String(key))}`).join(''),
    detail: issue.message,
  }))
  return { ok: false, errors }
}

function isLarge(input: unknown): boolean {
  let values = 0
  JSON.stringify(input, (_, value: unknown) => {
    values += 1
    return typeof value === 'object' && values <= MAX_VALUES_WITH_ERRORS ? value : 0
  })
  return values > MAX_VALUES_WITH_ERRORS
}

/** True if `input` fits a schema as it is. The schema must not change what it accepts. */
export function matches<S extends v.GenericSchema>(schema: S, input: unknown): input is v.InferOutput<S> {
  return v.is(schema, input)
}

/** The message of an issue for which the schema has none. */
const defaultMessage = {
  message({ received, expected }: v.BaseIssue<unknown>): string {
    if (received === 'undefined') return 'is missing'
    return expected === 'Object' ? 'must be an object' : `must be ${expected}`
  },
}

/** Text for which `accept` returns true; `jsonSchema` describes it in OpenAPI. */
const text = <Text extends string>(
  message: string,
  accept: (input: string) => input is Text,
  jsonSchema: Record<string, unknown>,
): v.GenericSchema<string, Text> =>
  v.pipe(v.string(message), v.check(accept, message), v.metadata(jsonSchema)) as unknown as v.GenericSchema<
    string,
    Text
  >

/** The id of a record: a UUID in lower case. */
export const Uuid = text('must be a UUID in lower case', isUuid, { format: 'uuid', pattern: UUID.source })

const instantMessage =
  'must be an RFC 3339 date-time with its offset, such as 2026-11-21T08:30:00+01:00, in the years 1 to 9999'

/** An RFC 3339 date-time with any offset, which becomes an instant in UTC. */
export const InstantText = v.pipe(
  v.string(instantMessage),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const instant = normalizeInstant(dataset.value)
    if (instant !== undefined) return instant
    addIssue({ message: instantMessage })
    return NEVER
  }),
  v.metadata({ format: 'date-time', examples: ['2026-11-21T08:30:00.000Z'] }),
)

/** An instant that is already in canonical form, as the service writes it. */
export const CanonicalInstant = text('must be an instant such as 2026-11-21T08:30:00.000Z', isInstant, {
  format: 'date-time',
})

/** A calendar date in the years 1 to 9999. */
export const DateText = text('must be a calendar date such as 2026-11-21', isDate, { format: 'date' })

const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d$/

/** A local time such as `08:30`. */
export const TimeText = text('must be a time such as 08:30', (input): input is string => TIME.test(input), {
  pattern: TIME.source,
  examples: ['08:30'],
})

const COUNTRY = /^[A-Z]{2}$/

/** A country as two capital letters (ISO 3166-1), such as `DE`. */
export const CountryText = text('must be a country such as DE', (input): input is string => COUNTRY.test(input), {
  pattern: COUNTRY.source,
  examples: ['DE'],
})

const PLACE_CODE = /^[A-Za-z0-9]{1,20}$/

/** The code of a state or region in a library of holidays. */
export const PlaceCode = text('must be a code such as BY', (input): input is string => PLACE_CODE.test(input), {
  pattern: PLACE_CODE.source,
  examples: ['BY'],
})

/** A day of any year, such as `03-31`. */
export const MonthDayText = text(
  'must be a month and a day such as 03-31',
  (input): input is string => isMonthDay(input),
  { pattern: '^\\d{2}-\\d{2}$', examples: ['03-31'] },
)

const MONTH = /^(?!0000)\d{4}-(?:0[1-9]|1[0-2])$/

/** A calendar month of the years 1 to 9998, such as `2026-11`. */
export const MonthText = text(
  'must be a month such as 2026-11',
  (input): input is Month => MONTH.test(input) && input < '9999',
  { pattern: '^\\d{4}-\\d{2}$', examples: ['2026-11'] },
)

/** An ISO 8601 week such as `2026-W47`. */
export const WeekText = text('must be an ISO 8601 week such as 2026-W47', isWeek, {
  pattern: '^\\d{4}-W\\d{2}$',
  examples: ['2026-W47'],
})

/** An IANA time zone such as `Europe/Berlin`. */
export const Zone = text('must be an IANA time zone such as Europe/Berlin', isZone, {
  maxLength: 64,
  examples: ['Europe/Berlin'],
})

/** Text of at most `max` characters (code points, as JSON Schema counts them). */
export const textUpTo = (max: number) => textBetween(0, max)

/** Text of `min` to `max` characters (code points, as JSON Schema counts them). */
export function textBetween(min: number, max: number) {
  const fits = (input: string): input is string => {
    // A character has one or two UTF-16 units.
    return input.length >= min && input.length <= 2 * max && [...input].length <= max
  }
  const message =
    min === 0 ? `must be text of at most ${max} characters` : `must be text of ${min} to ${max} characters`
  return text(message, fits, { ...(min > 0 && { minLength: min }), maxLength: max })
}

/**
 * Text of `min` to `max` characters that somebody gives now, and that every database can hold (D1.40). Records of
 * earlier versions can have others, so that `textBetween` reads what is stored.
 */
export const givenText = (min: number, max: number) =>
  v.pipe(
    textBetween(min, max),
    v.check((given) => findUnstorable(given) === undefined, 'must not have a lone surrogate or NUL'),
  )

/** A whole number from `min` to `max`. */
export const wholeNumber = (min: number, max: number) => {
  const message = `must be a whole number from ${min} to ${max}`
  return v.pipe(v.number(message), v.integer(message), v.minValue(min, message), v.maxValue(max, message))
}

/** The number of a user. */
export const UserNumberValue = v.pipe(
  v.number(),
  v.check(isUserNumber, 'must be the number of a user'),
) as unknown as v.GenericSchema<number, UserNumber>

/** A duration from `min` to `max` milliseconds. */
export function milliseconds(min: DurationMs, max: DurationMs): v.GenericSchema<number, DurationMs> {
  return wholeNumber(min, max)
}

/** Milliseconds, positive or negative, |x| ≤ 2^53 − 1 (D1.8). */
export const SignedMs = milliseconds(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)
