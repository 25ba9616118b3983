/** A value that goes into a statement or comes out of a row. Integers are numbers: |x| ≤ 2^53 − 1. */
export type SqlValue = string | number | null

/**
 * One open transaction. Statements are literal SQL that both SQLite and PostgreSQL understand, with parameters `$1`,
 * `$2`, …; what must differ between them stands in `dialect`.
 */
export interface SqlReader {
  readonly dialect: Dialect
  /** All rows of a query. */
  all<Row>(text: string, params?: readonly SqlValue[]): Promise<Row[]>
}

export interface SqlWriter extends SqlReader {
  /** Runs a statement and returns how many rows it changed. */
  run(text: string, params?: readonly SqlValue[]): Promise<number>
  /** Runs one statement for each of many parameter lists, in their order, in a constant number of round trips. */
  runEach(text: string, paramLists: readonly (readonly SqlValue[])[]): Promise<void>
  /** Runs a script of statements without parameters, such as a migration's. */
  script(text: string): Promise<void>
}

/** The few words that engines do not share. */
export interface Dialect {
  /** What makes a SELECT lock its rows until the transaction ends; nothing where one writer is all there is. */
  forUpdate: string
  /** A FROM item named `given`, with a row for each text of a JSON array in a parameter: its `position` from 0, its `item`. */
  eachOf(param: string): string
  /** A text as its bytes in UTF-8, which a row then has as a `Uint8Array`. */
  bytesOf(text: string): string
}

/**
 * A database engine: the little that the store needs of it.
 *
 * Isolation. `read` sees one consistent, committed snapshot for the whole of its body, and cannot write. `write` sees
 * what all earlier writes committed; nothing of it is visible before it commits, nothing remains when its body throws.
 * Its promise is resolved only after a commit that is durable (fsync). A body awaits nothing but its statements, and
 * may be run again from the start when the engine asks for it, so it must have no effects of its own.
 */
export interface SqlDriver {
  read<T>(body: (sql: SqlReader) => Promise<T>): Promise<T>
  write<T>(body: (sql: SqlWriter) => Promise<T>): Promise<T>
  /** Waits for what runs, then gives everything back. */
  close(): Promise<void>
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
