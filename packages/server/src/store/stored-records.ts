import {
  DAY_MS,
  type DateRange,
  FIRST_DATE,
  isRequest,
  LAST_DATE,
  type RecordKind,
  type RecordOf,
  utcMidnight,
} from '@saldo/core'
import {
  type EntrySpan,
  type LiveRecord,
  type RecordKey,
  type RequestRecord,
  recordKeyOf,
  type StoredRecord,
} from './store.ts'

/** True if a record exists and was not deleted. */
export function isLive<K extends RecordKind>(record: StoredRecord<K> | undefined): record is LiveRecord<K> {
  return record?.deleted === false
}

/** Returns the fields of a live record, null for a tombstone or no record. */
export function liveFieldsOf<K extends RecordKind>(record: StoredRecord<K> | undefined): RecordOf<K> | null {
  return isLive(record) ? record.fields : null
}

/** True if a stored entry is a request. */
export function isOfRequest(record: LiveRecord<'entries'>): record is RequestRecord {
  return isRequest(record.fields)
}

/** Stored records by key; of several with one key, the last. */
export class RecordMap<K extends RecordKind = RecordKind> {
  readonly #byKey: Map<string, StoredRecord<K>>

  constructor(records: readonly StoredRecord<K>[]) {
    this.#byKey = new Map(records.map((record) => [recordKeyOf(record), record]))
  }

  get<P extends K>(key: RecordKey<P>): StoredRecord<P> | undefined {
    // A key names the kind.
    return this.#byKey.get(recordKeyOf(key)) as StoredRecord<P> | undefined
  }

  values(): StoredRecord<K>[] {
    return [...this.#byKey.values()]
  }
}

type Optional<T> = { [K in keyof T]?: T[K] | undefined }

/** Returns the span in which the store finds the records of a range of dates; a bound that is left out is open. */
export function dateSpan({ from = FIRST_DATE, to = LAST_DATE }: Optional<DateRange>): EntrySpan {
  return { from: utcMidnight(from), to: utcMidnight(to) + DAY_MS }
}
