import type { SyncPosition, UserNumber } from '@saldo/core'
import type { SqlDriver } from '../../../src/store/sql.ts'
import type { RecordKey, RecordStore, RecordToStore, StoredRecord, UserReader } from '../../../src/store/store.ts'
import type { UserStore } from '../../../src/store/users/users.ts'
import type { ManualClock } from '../../manual-clock.ts'
import { nameOf } from '../samples.ts'

/** The tools of the contract's parts: one database for each part, a user of its own for each test. */
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
  /** Returns the number of the user's rows in a table. */
  rowsOf(table: string, user: UserNumber): Promise<number>
}

export interface LogRow {
  version: number
  kind: string
  record_id: string
  logged_at: number
  tag: string
}

/** Adds up what a user's data takes, as D4.20 says it. */
export async function storedBytesIn({ driver }: Pick<Contract, 'driver'>, user: UserNumber): Promise<number> {
  const [row] = await driver.all<{ bytes: number }>(
    `SELECT CAST(100 * (SELECT COUNT(*) FROM sync_log WHERE user_id = $1) + COALESCE(SUM(OCTET_LENGTH(body)), 0)
       + COALESCE(SUM(OCTET_LENGTH(claims)), 0)
       + 500 * (SELECT COUNT(*) FROM account_trail WHERE user_id = $1 AND actor = $1) AS BIGINT) AS bytes
     FROM records WHERE user_id = $1`,
    [user],
  )
  return row?.bytes ?? Number.NaN
}

/** The keys of records, in their order. */
export function keysOf(records: readonly RecordKey[]): string[] {
  return records.map(({ kind, id }) => `${kind} ${nameOf(id)}`)
}

/** The ids of records, in their order; readable where they are names. */
export function idsOf(records: readonly RecordKey[]): string[] {
  return records.map(({ id }) => nameOf(id))
}

/** The history tag of a version; null if the log has no such row. */
export async function tagAt(reader: UserReader, version: number): Promise<string | null> {
  return (await reader.logState(version)).tag
}

/** The marker of what was pruned, if anything was. */
export async function markerOf(reader: UserReader): Promise<SyncPosition | undefined> {
  return (await reader.logState(0)).marker
}

/** True if the oldest row after the marker was logged before a time. */
export async function isPruningDue(reader: UserReader, beforeMs: number): Promise<boolean> {
  const { oldestMs } = await reader.logState(0)
  return oldestMs !== null && oldestMs < beforeMs
}
