import type Database from 'better-sqlite3'
import type { Dialect, Insert, SqlParam, SqlValue, SqlWriter } from '../sql.ts'
import type { Connection } from './connection.ts'

/** The transactions of a connection, one after another. */
export class SqliteTransaction implements SqlWriter {
  readonly dialect = dialect
  readonly #connection: Connection
  readonly #statementsByText = new Map<string, Database.Statement>()
  #failure: Error | undefined
  readonly #maxTurnMs: number
  #turnBeganMs = 0

  /** A transaction with `maxTurnMs` lets others go first after so many milliseconds. */
  constructor(connection: Connection, maxTurnMs = Number.POSITIVE_INFINITY) {
    this.#connection = connection
    this.#maxTurnMs = maxTurnMs
  }

  async all<Row>(text: string, params: readonly SqlParam[] = []): Promise<Row[]> {
    await this.#letOthersGoFirst()
    return this.#attempt(() => {
      return this.#prepare(text).all(named(params)) as Row[]
    })
  }

  async run(text: string, params: readonly SqlParam[] = []): Promise<number> {
    return this.#attempt(() => {
      return this.#prepare(text).run(named(params)).changes
    })
  }

  async insertEach({ into, types, onConflict = '' }: Insert, rows: readonly (readonly SqlValue[])[]): Promise<void> {
    this.#attempt(() => {
      const places = types.map((_, index) => `$${index + 1}`).join(', ')
      const statement = this.#prepare(`INSERT INTO ${into} VALUES (${places}) ${onConflict}`)
      for (const row of rows) statement.run(named(row))
    })
  }

  async script(text: string): Promise<void> {
    this.#attempt(() => this.#connection.exec(text))
  }

  /** Begins or ends a transaction or a savepoint. */
  control(text: string): void {
    this.#failure = undefined
    if (text.startsWith('BEGIN')) this.#turnBeganMs = performance.now()
    this.#prepare(text).run()
  }

  /** Ends a read, if it has begun. */
  endRead(): void {
    if (this.#connection.inTransaction) this.control('COMMIT')
  }

  /** Ends the turn of the event loop if this transaction has had most of it: statements run on the same thread. */
  async #letOthersGoFirst(): Promise<void> {
    if (performance.now() - this.#turnBeganMs < this.#maxTurnMs) return
    await new Promise((resolve) => setImmediate(resolve))
    this.#turnBeganMs = performance.now()
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

  #prepare(text: string): Database.Statement {
    let statement = this.#statementsByText.get(text)
    if (!statement) {
      // With a bare parameter, SQLite with STAT4 plans many statements anew for each value.
      statement = this.#connection.prepare(text.replace(/\$\d+/g, '+$&'))
      this.#statementsByText.set(text, statement)
    }
    return statement
  }
}

/** Returns parameters by their numbers; lists become JSON. */
function named(params: readonly SqlParam[]): Record<string, SqlValue> {
  return Object.fromEntries(
    params.map((param, index) => [index + 1, typeof param === 'object' && param ? JSON.stringify(param) : param]),
  )
}

const dialect: Dialect = {
  forUpdate: '',
  forUpdateIfFree: '',
  eachOf: (param) => `(SELECT value AS item FROM json_each(${param})) AS given`,
  joinEach: (table, condition) => `CROSS JOIN ${table} ON ${condition}`,
  columnsOf: (table) =>
    `SELECT name, CASE type WHEN 'INTEGER' THEN 'BIGINT' ELSE 'TEXT' END AS type FROM pragma_table_info('${table}')`,
  // SQLite does so by itself.
  numberBehind: () => '',
  size: 'SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()',
}
