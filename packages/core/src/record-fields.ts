import * as v from 'valibot'
import { InstantText, Uuid, wholeNumber } from './validation.ts'

/** The fields that every live record carries beside its content. */
export const anyRecord = { id: Uuid, updated_at: InstantText, version: wholeNumber(0, Number.MAX_SAFE_INTEGER) }
/** The same for the kinds that clients write. */
export const writableRecord = { ...anyRecord, created_at: InstantText }

/** The most vacation days of a year, and of one grant. */
export const MAX_VACATION_DAYS = 366

/** A number of vacation days in hundredths. */
export function vacationDays(min: number, max: number) {
  const message = `must be a number from ${min} to ${max} with at most two decimals`
  return v.pipe(
    v.number(message),
    v.minValue(min, message),
    v.maxValue(max, message),
    v.check((days) => Math.round(days * 100) / 100 === days, message),
  )
}
