import { DAY_MS, type DateRange, FIRST_DATE, type JsonObject, LAST_DATE, utcMidnight } from '@saldo/core'
import type { Span, StoredRecord } from './store.ts'

/** Returns the fields of a stored record; of a tombstone, those that are still known. */
export function fieldsOf<Fields extends object = JsonObject>({ body }: StoredRecord): Fields {
  return JSON.parse(body) as Fields
}

/** Returns the fields of a live record, null for a tombstone or no record. */
export function liveFieldsOf<Fields extends object = JsonObject>(record: StoredRecord | undefined): Fields | null {
  return record && !record.deleted ? fieldsOf(record) : null
}

type Optional<T> = { [K in keyof T]?: T[K] | undefined }

/** Returns the span in which the store finds the records of a range of dates; a bound that is left out is open. */
export function dateSpan({ from = FIRST_DATE, to = LAST_DATE }: Optional<DateRange>): Span {
  return { from: utcMidnight(from), to: utcMidnight(to) + DAY_MS }
}
