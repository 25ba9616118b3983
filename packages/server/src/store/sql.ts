/** A value that goes into a statement or comes out of a row. Integers are numbers: |x| ≤ 2^53 − 1. */
export type SqlValue = string | number | null

/** What a parameter takes: a value, or a list of texts, which the words of `Dialect` look into. */
export type SqlParam = SqlValue | readonly string[]

/**
 * One open transaction. Every statement is awaited where it is called. After one that failed, the transaction fails as a
 * whole, even if its body goes on. Statements are literal SQL that both SQLite and PostgreSQL understand, with parameters
 * `$1`, `$2`, …; the few words that differ are in `dialect`.
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
  /** The table with its columns. */
  into: string
  /** The types of the columns, in their order. */
  types: readonly ('BIGINT' | 'TEXT')[]
  /** `ON CONFLICT …`; without it, a row that exists is an error. */
  onConflict?: string
}

/** The few words that engines do not share. */
export interface Dialect {
  /** What makes a SELECT lock its rows until the transaction ends; nothing where one writer is all there is. */
  forUpdate: string
  /** The same, but rows that another transaction has locked are left out. */
  forUpdateIfFree: string
  /** A FROM item named `given`, with a row for each text of a list in a parameter: its `item`. */
  eachOf(param: string): string
  /** What joins a table to the rows of a FROM item before it, one by one: its rows are looked for by `condition`, along an index. */
  joinEach(table: string, condition: string): string
  /** Returns a script after which the database numbers new rows of a table above all that it has. */
  numberBehind(table: string): string
}

/**
 * A database engine: the little that the store needs of it.
 *
 * Isolation. `read` sees one consistent, committed snapshot for the whole of its body, and cannot write. `write` sees
 * what all earlier writes committed, or, where an engine has several writers, what those committed that held a row that
 * it has locked; nothing of it is visible before it commits, nothing remains when its body throws. Its promise is
 * resolved only after a commit that is durable (fsync). A body awaits nothing but its statements, and may be run again
 * from the start when the engine asks for it, so it must have no effects of its own.
 *
 * Writes that would only wait for each other's locks have the same `turn`: an engine with several connections lets them
 * wait for their turn, so that they hold none meanwhile.
 */
export interface SqlDriver {
  /** Returns all rows of a query that is a transaction of its own. */
  all<Row>(text: string, params?: readonly SqlParam[]): Promise<Row[]>
  read<T>(body: (sql: SqlReader) => Promise<T>): Promise<T>
  write<T>(body: (sql: SqlWriter) => Promise<T>, turn?: number): Promise<T>
  /** Waits for what runs, then gives everything back. */
  close(): Promise<void>
}

/** What the nodes that share a database tell each other. Nothing is kept: who does not listen misses it. */
export interface Announcements {
  /**
   * Tells all nodes that listen, this one included. In a transaction of its own: engines may let no other transaction
   * that announces commit meanwhile. Texts have at most 7,999 bytes.
   */
  announce(texts: readonly string[]): Promise<void>
  /** Listens until it is closed, again where the connection was lost. */
  listen(listener: AnnouncementListener): { close(): Promise<void> }
}

export interface AnnouncementListener {
  hear(text: string): void
  /** From now on all is heard; what was announced before may have been missed. */
  begin(): void
  /** Nothing is heard until it begins again. */
  lose(error: UnavailableError): void
}

/** The engine cannot do the work now, but may later: nothing of the transaction was kept, or its outcome is unknown. */
export class UnavailableError extends Error {
  readonly reason: 'storage_full' | 'unavailable'

  constructor(reason: 'storage_full' | 'unavailable', options: { cause: unknown }) {
    super(
      reason === 'storage_full' ? 'there is no space left for the database' : 'the database is not available',
      options,
    )
    this.name = 'UnavailableError'
    this.reason = reason
  }
}

/** The database cannot be opened. The message is one line for the person who starts the service. */
export class OpenError extends Error {
  constructor(message: string, options?: { cause: unknown }) {
    super(message, options)
    this.name = 'OpenError'
  }
}
