import { itemAt } from '@saldo/core'
import type Database from 'better-sqlite3'
import { beginningOfTurn, TimeSlice } from '../../time-slice.ts'
import type { Dialect, Insert, SqlParam, SqlValue, SqlWriter } from '../sql.ts'
import type { SqliteConnection } from './connection.ts'

/** Columns of statements that can read much: records and requests of tens of kilobytes, and rows of a company. */
const LARGE_COLUMNS: ReadonlySet<string> = new Set(['body', 'requests', 'changes', 'path'])

/**
 * The transactions of a connection, one after another. Statements run on the thread of all requests, so a transaction
 * lets others go first between two of them.
 */
export class SqliteTransaction implements SqlWriter {
  readonly dialect = sqliteDialect
  readonly #connection: SqliteConnection
  readonly #preparedByText = new Map<string, Prepared>()
  #failure: Error | undefined
  readonly #slice = new TimeSlice()

  constructor(connection: SqliteConnection) {
    this.#connection = connection
  }

  async all<Row>(text: string, params: readonly SqlParam[] = []): Promise<Row[]> {
    if (this.#slice.isUsedUp()) await this.#slice.renew()
    const { statement, places, isLarge } = this.#attempt(() => this.#prepare(text))
    if (!isLarge) return this.#attempt(() => statement.all(valuesAt(places, params)) as Row[])
    const rows = this.#attempt(() => statement.iterate(valuesAt(places, params)) as IterableIterator<Row>)
    const found: Row[] = []
    try {
      for (;;) {
        const next = this.#attempt(() => rows.next())
        if (next.done) return found
        found.push(next.value)
        if (this.#slice.isUsedUp()) await this.#slice.renew()
      }
    } finally {
      // The connection runs no other statement before.
      rows.return?.()
    }
  }

  async run(text: string, params: readonly SqlParam[] = []): Promise<number> {
    if (this.#slice.isUsedUp()) await this.#slice.renew()
    return this.#attempt(() => {
      const { statement, places } = this.#prepare(text)
      return statement.run(valuesAt(places, params)).changes
    })
  }

  async insertEach({ into, types, onConflict = '' }: Insert, rows: readonly (readonly SqlValue[])[]): Promise<void> {
    const places = types.map(() => '?').join(', ')
    const { statement } = this.#attempt(() => this.#prepare(`INSERT INTO ${into} VALUES (${places}) ${onConflict}`))
    for (const row of rows) {
      if (this.#slice.isUsedUp()) await this.#slice.renew()
      this.#attempt(() => statement.run(row))
    }
  }

  async script(text: string): Promise<void> {
    this.#attempt(() => this.#connection.exec(text))
  }

  /** Begins work on the connection: after a failure, statements run again. */
  begin(): void {
    this.#failure = undefined
    this.#slice.begin(beginningOfTurn())
  }

  /** Begins or ends a transaction. After a failure, statements run again. */
  control(text: string): void {
    this.#failure = undefined
    this.#prepare(text).statement.run()
  }

  /** Ends a read, if it has begun. */
  endRead(): void {
    if (this.#connection.inTransaction) this.control('COMMIT')
  }

  /** Throws the error of the first statement that failed. */
  requireSuccess(): void {
    if (this.#failure) throw this.#failure
  }

  /** Refuses to run after a failure: if it ended the transaction, later statements would commit by themselves. */
  #attempt<T>(work: () => T): T {
    this.requireSuccess()
    try {
      return work()
    } catch (error) {
      this.#failure = error as Error
      throw error
    }
  }

  #prepare(text: string): Prepared {
    let prepared = this.#preparedByText.get(text)
    if (!prepared) {
      const places: number[] = []
      const bound = text.replaceAll(/\$(\d+)/g, (_, number: string) => {
        places.push(Number(number) - 1)
        // With a bare parameter, SQLite with STAT4 plans many statements anew for each value.
        return '+?'
      })
      const statement = this.#connection.prepare(bound)
      const isLarge = statement.reader && statement.columns().some(({ name }) => LARGE_COLUMNS.has(name))
      prepared = { statement, places, isLarge }
      this.#preparedByText.set(text, prepared)
    }
    return prepared
  }
}

/** A statement, and the index of the parameter at each of its places: names would be looked up one by one. */
interface Prepared {
  statement: Database.Statement
  places: readonly number[]
  /** True if it can read much: its rows are read one by one, and others go first between two of them. */
  isLarge: boolean
}

/** Returns the values of parameters at the places of a statement; lists become JSON. */
function valuesAt(places: readonly number[], params: readonly SqlParam[]): SqlValue[] {
  return places.map((index) => {
    const param = itemAt(params, index)
    return typeof param === 'object' && param ? JSON.stringify(param) : param
  })
}

export const sqliteDialect: Dialect = {
  locking: () => '',
  eachOf: (param) => `(SELECT value AS item FROM json_each(${param})) AS given`,
  isOneOf: (column, param) => `${column} IN (SELECT CAST(value AS INTEGER) FROM json_each(${param}))`,
  joinEach: (table, condition) => `CROSS JOIN ${table} ON ${condition}`,
  columnsOf: (table) =>
    `SELECT name, CASE type WHEN 'INTEGER' THEN 'BIGINT' ELSE 'TEXT' END AS type FROM pragma_table_info('${table}')`,
  // SQLite does so by itself.
  numberBehind: () => '',
  size: 'SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()',
}
