import type { UserNumber } from '@saldo/core'
import type { SqlDriver } from '../../../src/store/sql.ts'
import type { RecordKey, RecordStore, RecordToStore, StoredRecord, UserReader } from '../../../src/store/store.ts'
import type { UserStore } from '../../../src/store/users/users.ts'
import type { ManualClock } from '../../manual-clock.ts'
import { nameOf } from '../samples.ts'

/** What the parts of the contract work with: one database for a part, a user of its own for each test. */
export interface Contract {
  readonly driver: SqlDriver
  readonly records: RecordStore
  readonly users: UserStore
  readonly clock: ManualClock
  /** A new user without records. */
  user(): Promise<UserNumber>
  put(user: UserNumber, ...states: RecordToStore[]): Promise<StoredRecord[]>
  read<T>(user: UserNumber, body: (reader: UserReader) => Promise<T>): Promise<T>
  /** The user's log, in version order. */
  log(user: UserNumber): Promise<LogRow[]>
  /** How many rows of a table are the user's. */
  rowsOf(table: string, user: UserNumber): Promise<number>
}

export interface LogRow {
  version: number
  kind: string
  record_id: string
  logged_at: number
  tag: string
}

/** The keys of records, in their order. */
export function keysOf(records: readonly RecordKey[]): string[] {
  return records.map(({ kind, id }) => `${kind} ${nameOf(id)}`)
}

/** The ids of records, in their order; readable where they are names. */
export function idsOf(records: readonly RecordKey[]): string[] {
  return records.map(({ id }) => nameOf(id))
}
