import type { SqlDriver } from '../../../src/store/sql.ts'
import type {
  NewState,
  RecordKey,
  RecordStore,
  SnapshotPage,
  StoredRecord,
  UserId,
  UserReader,
} from '../../../src/store/store.ts'
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
  user(): Promise<UserId>
  put(user: UserId, ...states: NewState[]): Promise<StoredRecord[]>
  read<T>(user: UserId, body: (reader: UserReader) => Promise<T>): Promise<T>
  /** The user's log, in version order. */
  log(user: UserId): Promise<LogRow[]>
  /** How many rows of a table are the user's. */
  rowsOf(table: string, user: UserId): Promise<number>
}

export interface LogRow {
  version: number
  kind: string
  record_id: string
  logged_at: number
  tag: string
}

/** A record as a snapshot has it. */
export interface SnapshotRecord extends RecordKey {
  fields: unknown
}

/** The records of a page of a snapshot, in order of their keys. */
export function recordsIn({ lists }: SnapshotPage): SnapshotRecord[] {
  return [...lists].flatMap(([kind, list]) =>
    (JSON.parse(`[${Buffer.from(list).toString()}]`) as { id: string }[])
      .map((fields) => ({ kind, id: fields.id, fields }))
      .toSorted((a, b) => Buffer.compare(Buffer.from(a.id), Buffer.from(b.id))),
  )
}

/** The keys of records, in their order. */
export function keysOf(records: readonly RecordKey[]): string[] {
  return records.map(({ kind, id }) => `${kind} ${nameOf(id)}`)
}

/** The ids of records, in their order; readable where they are names. */
export function idsOf(records: readonly RecordKey[]): string[] {
  return records.map(({ id }) => nameOf(id))
}
