import type { Clock, Random } from '@saldo/core'
import type { UnavailableError } from '../errors.ts'

/** A value of a statement or a row. Integers are numbers: |x| ≤ 2^53 − 1. */
export type SqlValue = string | number | null

/** A parameter of a statement: a value, or a list of texts for `Dialect.eachOf`. */
export type SqlParam = SqlValue | readonly string[]

/**
 * One open transaction. Every statement is awaited where it is called. After one that failed, the transaction fails as
 * a whole, even if its body goes on. Statements are literal SQL that both SQLite and PostgreSQL understand, with
 * parameters `$1`, `$2`, …; the few words that differ are in `dialect`.
 */
export interface SqlReader {
  readonly dialect: Dialect
  /** Returns all rows of a query. */
  all<Row>(text: string, params?: readonly SqlParam[]): Promise<Row[]>
}

export interface SqlWriter extends SqlReader {
  /** Runs a statement and returns how many rows it changed. */
  run(text: string, params?: readonly SqlParam[]): Promise<number>
  /** Inserts any number of rows, no two with the same key, in one round trip. */
  insertEach(insert: Insert, rows: readonly (readonly SqlValue[])[]): Promise<void>
  /** Runs a script of statements without parameters, such as a migration's. */
  script(text: string): Promise<void>
}

/** An INSERT of many rows: `INSERT INTO <into> <the rows> <onConflict>`. */
export interface Insert {
  into: string
  types: readonly Column['type'][]
  /** `ON CONFLICT …`; without it, a row that exists is an error. */
  onConflict?: string
}

export interface Column {
  name: string
  type: 'BIGINT' | 'TEXT'
}

/** The words of SQL that differ between engines. */
export interface Dialect {
  /**
   * Returns a clause with which a SELECT locks its rows until the transaction ends, such as `FOR UPDATE`; empty if the
   * engine has one writer.
   */
  locking(clause: `FOR ${string}`): string
  /** Returns a FROM item `given` that has a row for each text of a list parameter, with the column `item`. */
  eachOf(param: string): string
  /** Returns the condition that an integer column has one of the numbers of a list parameter, for an index. */
  isOneOf(column: string, param: string): string
  /** Returns a join that looks up a table's rows by `condition`, using an index, for each row before it. */
  joinEach(table: string, condition: string): string
  /** Returns a query for the columns of a table, in their order. */
  columnsOf(table: string): string
  /** Returns a script after which the database numbers new rows of a table above all that it has. */
  numberBehind(table: string): string
  /** A query for the size of the database in bytes, as `bytes`. */
  size: string
}

/**
 * A database engine.
 *
 * `read` sees one consistent, committed snapshot for the whole of its body, and cannot write. `write` sees what earlier
 * writes committed; on an engine with several writers, that holds for rows that it has locked. Nothing of a write is
 * visible before it commits, and nothing remains if its body throws. It resolves after a durable commit (fsync). A body
 * awaits nothing but its statements and time slices, and may run again from the start, so it must have no other
 * effects.
 *
 * Transactions of one user have the same `turn`. Reads of one turn run one after another, and so do writes, so that no
 * user takes all connections, and writes that would wait for each other's locks hold none. A transaction that takes
 * long lets others go first between its statements, and a body that computes long between its steps (`TimeSlice`).
 */
export interface SqlDriver {
  readonly dialect: Dialect
  /** Returns all rows of a query that is a transaction of its own. */
  all<Row>(text: string, params?: readonly SqlParam[]): Promise<Row[]>
  /** Runs a statement as a write of its own, and returns how many rows it changed. */
  run(text: string, params?: readonly SqlParam[]): Promise<number>
  read<T>(body: (sql: SqlReader) => Promise<T>, turn?: number): Promise<T>
  write<T>(body: (sql: SqlWriter) => Promise<T>, turn?: number): Promise<T>
  /**
   * Returns users by the server that has their records, of which one can fail alone. Missing where the database is not
   * distributed.
   */
  byServer?<User extends number>(users: readonly User[]): Promise<User[][]>
  /** Waits for running transactions, then closes all connections. Later ones fail with `ClosedError`. */
  close(): Promise<void>
}

/** Messages between the nodes that share a database. They are not stored: a node that does not listen misses them. */
export interface Announcements {
  /**
   * Sends texts of at most 7,999 bytes to all nodes that listen, this one included. It runs in its own transaction,
   * since engines may commit transactions with announcements one after another.
   */
  announce(texts: readonly string[]): Promise<void>
  /** True if any node listens. */
  hasListeners(): Promise<boolean>
  /** Listens until it is closed, and connects again if the connection is lost. */
  listen(listener: AnnouncementListener): Listening
}

export interface Listening {
  /** Returns the place of this listener among all, counted from 0: alone while it is not connected. */
  place(): Promise<{ index: number; of: number }>
  close(): Promise<void>
}

export interface AnnouncementListener {
  /** Receives the text of an announcement. */
  onAnnouncement(text: string): void
  /** Called when listening begins. Earlier announcements may have been missed. */
  onConnect(): void
  /** Called when the connection is lost; a new one follows. */
  onDisconnect(error: UnavailableError): void
}

export interface OpenOptions {
  clock: Clock
  random: Random
  /** A service has a SQLite file to itself; a command works beside a service. */
  as: 'service' | 'command'
  /** Called after each commit with the number of writes that shared it; on PostgreSQL, one. */
  onCommit?: (writes: number) => void
}

export interface OpenedDatabase {
  driver: SqlDriver
  /** The file, or the place of the database without the password, for messages. */
  name: string
  /** Present if several nodes can share the database. */
  announcements?: Announcements
  /** The level before and after opening; equal if nothing had to be migrated. */
  migrated: { from: number; to: number }
  /** Closes the connections and releases the lock. */
  close(): Promise<void>
}
