import type { DateRange, Random, RecordKind, UserNumber } from '@saldo/core'
import type { StoreError } from './errors.ts'
import {
  type BaseRecord,
  type Conflict,
  changeKey,
  type Meta,
  type OutboxRow,
  type RejectedChange,
  recordKey,
} from './rows.ts'

/** Rows, each under its key. */
export interface ReadTable<Row, Key = string> {
  get(key: Key): Promise<Row | undefined>
  /** Returns the row of each key, in the order of the keys. */
  getAll(keys: readonly Key[]): Promise<(Row | undefined)[]>
  all(): Promise<Row[]>
  count(): Promise<number>
}

export interface Table<Row, Key = string> extends ReadTable<Row, Key> {
  put(rows: readonly Row[]): Promise<void>
  delete(keys: readonly Key[]): Promise<void>
}

/** The outbox by queue position. A record has one row, which keeps its position. */
export interface ReadOutboxTable extends ReadTable<OutboxRow, number> {
  /** Returns the first rows in the order of their queue positions. */
  first(count: number): Promise<OutboxRow[]>
  /** Returns the row of each record, by `recordKey`, in the order of the keys. */
  ofRecords(recordKeys: readonly string[]): Promise<(OutboxRow | undefined)[]>
}

export interface OutboxTable extends ReadOutboxTable, Table<OutboxRow, number> {}

export interface ReadBaseRecordTable extends ReadTable<BaseRecord> {
  ofKind(kind: RecordKind): Promise<BaseRecord[]>
  /** Calls `visit` with every row, some at a time, so that a page stays responsive. */
  each(visit: (row: BaseRecord) => void): Promise<void>
  unconfirmed(): Promise<BaseRecord[]>
  unreadable(): Promise<BaseRecord[]>
  /**
   * Returns the live entries that overlap a range of UTC dates, in no order. A running entry has no end, an absence
   * is its UTC day, and an entry without a readable time overlaps nothing. An index finds them.
   */
  entriesIn(range: DateRange): Promise<BaseRecord[]>
}

export interface BaseRecordTable extends ReadBaseRecordTable, Table<BaseRecord> {}

/** The tables of a device in a transaction that reads. */
export interface ReadTables {
  /** By `recordKey`. */
  readonly baseRecords: ReadBaseRecordTable
  /** By queue position. */
  readonly outbox: ReadOutboxTable
  /** By `changeKey`. */
  readonly rejectedChanges: ReadTable<RejectedChange>
  /** By `changeKey` of the change that lost. */
  readonly conflicts: ReadTable<Conflict>
  meta(): Promise<Meta>
  /** Returns the number of transactions that wrote to each table and kind; one that is missing had none. */
  changeCounts(): Promise<ChangeCounts>
}

/** The tables of a device in a transaction that writes. */
export interface Tables extends ReadTables {
  readonly baseRecords: BaseRecordTable
  readonly outbox: OutboxTable
  readonly rejectedChanges: Table<RejectedChange>
  readonly conflicts: Table<Conflict>
  setMeta(meta: Meta): Promise<void>
  /** Empties every table; the meta row stays (R5.6). */
  wipe(): Promise<void>
}

/** The tables of rows, each with the function that returns a row's key. */
export const rowKeyOf = {
  baseRecords: recordKey,
  outbox: ({ place }: OutboxRow) => place,
  rejectedChanges: ({ change }: RejectedChange) => changeKey(change),
  conflicts: ({ mine }: Conflict) => changeKey(mine),
} as const

export type RowTableName = keyof typeof rowKeyOf
export type TableName = RowTableName | 'meta'

/** A table that a transaction wrote to, or a kind of its base records. */
export type Changed = TableName | RecordKind

export type ChangeCounts = Readonly<Partial<Record<Changed, number>>>

export const rowTableNames = Object.keys(rowKeyOf) as RowTableName[]

/**
 * The local store of one user on one device.
 *
 * `write` is one transaction over all tables: everything that the body writes is durable before the promise resolves;
 * nothing is kept if the body throws or the process ends. Transactions run one after another, in the order of the
 * calls. `read` sees what earlier calls wrote and may run beside other reads. A body awaits nothing but its tables, and
 * each write before the next one. Rows go in and out as copies. Both throw a `StoreError` if the store itself fails.
 */
export interface LocalStore {
  write<T>(body: (tables: Tables) => Promise<T>): Promise<T>
  read<T>(body: (tables: ReadTables) => Promise<T>): Promise<T>
  /**
   * Calls `listener` once after each transaction that wrote something, also in another tab, with what it wrote to.
   * Returns a function that ends the subscription.
   */
  subscribe(listener: (changed: ReadonlySet<Changed>) => void): () => void
  /** Calls `listener` when `error()` has changed. Returns a function that ends the subscription. */
  subscribeToErrors(listener: () => void): () => void
  /** Returns why the store cannot be used now, as far as it knows. */
  error(): StoreError | undefined
  /** Resolves when earlier calls are done. */
  close(): Promise<void>
  /** Closes the store in every tab and deletes its content. Throws a `StoreError` if it is closed. */
  erase(): Promise<void>
}

/** The user whose store it is: each user has one of their own. */
export interface Owner {
  /** The user's number at the service. */
  user: UserNumber
  random: Random
}

export type OpenStore = (owner: Owner) => LocalStore
