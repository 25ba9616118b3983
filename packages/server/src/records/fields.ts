import type { JsonObject } from '@saldo/core'
import type { StoredRecord } from '../store/store.ts'

/** Returns the fields of a stored record; of a tombstone, those that are still known. */
export function fieldsOf<Fields extends object = JsonObject>({ body }: StoredRecord): Fields {
  return JSON.parse(body) as Fields
}

/** Returns the fields of a live record, null for a tombstone or no record. */
export function liveFieldsOf<Fields extends object = JsonObject>(record: StoredRecord | undefined): Fields | null {
  return record && !record.deleted ? fieldsOf(record) : null
}
