import type Database from 'better-sqlite3'
import type { Insert, SqlParam, SqlValue, SqlWriter } from '../sql.ts'
import type { Connection } from './connection.ts'
import { dialect } from './dialect.ts'

/** The transactions of a connection, one after another. */
export class SqliteTransaction implements SqlWriter {
  readonly dialect = dialect
  readonly #connection: Connection
  readonly #statements = new Map<string, Prepared>()
  #failure: Error | undefined

  constructor(connection: Connection) {
    this.#connection = connection
  }

  async all<Row>(text: string, params: readonly SqlParam[] = []): Promise<Row[]> {
    return this.#attempt(() => {
      const { statement, order } = this.#prepare(text)
      return statement.all(...arrange(params, order)) as Row[]
    })
  }

  async run(text: string, params: readonly SqlParam[] = []): Promise<number> {
    return this.#attempt(() => {
      const { statement, order } = this.#prepare(text)
      return statement.run(...arrange(params, order)).changes
    })
  }

  async insertEach({ into, types, onConflict = '' }: Insert, rows: readonly (readonly SqlValue[])[]): Promise<void> {
    this.#attempt(() => {
      const places = types.map(() => '?').join(', ')
      const { statement } = this.#prepare(`INSERT INTO ${into} VALUES (${places}) ${onConflict}`)
      for (const row of rows) statement.run(...row)
    })
  }

  async script(text: string): Promise<void> {
    this.#attempt(() => this.#connection.exec(text))
  }

  /** Begins or ends a transaction or a savepoint. */
  control(text: string): void {
    this.#failure = undefined
    this.#prepare(text).statement.run()
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
    let prepared = this.#statements.get(text)
    if (!prepared) {
      prepared = prepare(this.#connection, text)
      this.#statements.set(text, prepared)
    }
    return prepared
  }
}

/** A statement, with the order of its parameters unless their numbers simply count up. */
interface Prepared {
  statement: Database.Statement
  order: readonly number[] | undefined
}

function prepare(connection: Connection, text: string): Prepared {
  const order: number[] = []
  const positional = text.replace(/\$(\d+)/g, (_, number: string) => {
    order.push(Number(number) - 1)
    // With a bare `?`, SQLite with STAT4 plans many statements anew for each value.
    return '+?'
  })
  const countsUp = order.every((param, index) => param === index)
  return { statement: connection.prepare(positional), order: countsUp ? undefined : order }
}

/** Returns parameters in the order in which they are bound; lists become JSON. */
function arrange(params: readonly SqlParam[], order: readonly number[] | undefined): SqlValue[] {
  const values = params.map((param) => (typeof param === 'object' && param !== null ? JSON.stringify(param) : param))
  return order ? order.map((param) => values[param] as SqlValue) : values
}
