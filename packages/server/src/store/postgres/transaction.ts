import type pg from 'pg'
import { type Insert, type SqlValue, type SqlWriter, UnavailableError } from '../sql.ts'
import { dialect } from './dialect.ts'
import { translatedStatement } from './errors.ts'

/** How long a migration's script is waited for, in milliseconds, which takes as long as it takes: a day. */
const SCRIPT_TIMEOUT_MS = 24 * 60 * 60 * 1_000

export interface TransactionKind {
  begin: string
  /** Whether it matters how the commit ends. */
  changes: boolean
}

export const READ: TransactionKind = { begin: 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', changes: false }
export const WRITE: TransactionKind = { begin: 'BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE', changes: true }

/** The connections whose server has warned of something. */
const warned = new WeakSet<pg.ClientBase>()

/**
 * Has commits on a connection heed warnings: a server that was told to wait no longer for its standby says that it has
 * committed, and warns that a fail-over may lose it.
 */
export function heedWarnings(client: pg.ClientBase): void {
  client.on('notice', ({ severity }) => {
    if (severity === 'WARNING') warned.add(client)
  })
}

/** Statements are sent as they come, without waiting for the answers of those before: BEGIN leaves with the first. */
export class PostgresTransaction implements SqlWriter {
  readonly dialect = dialect
  readonly #client: pg.PoolClient
  readonly #names: Map<string, string>
  #begun: Promise<unknown> | undefined
  #hasEnded = false

  constructor(client: pg.PoolClient, names: Map<string, string>) {
    this.#client = client
    this.#names = names
  }

  begin({ begin }: TransactionKind): void {
    this.#begun = this.#prepared(begin)
    // Told by `commit`.
    this.#begun.catch(() => undefined)
  }

  async commit({ changes }: TransactionKind): Promise<void> {
    await this.#begun
    const committed = this.#send({ text: 'COMMIT' })
    this.#hasEnded = true
    // What was read is read.
    if (!changes) return void committed.catch(() => undefined)
    if ((await committed).command !== 'COMMIT') throw new Error('a write went on after a statement that had failed')
    // The connection goes, and the mark with it.
    if (warned.has(this.#client)) throw new UnavailableError('unavailable', { cause: new Error('the server warned') })
  }

  rollBack(): void {
    this.#send({ text: 'ROLLBACK' }).catch(() => undefined)
    this.#hasEnded = true
  }

  async all<Row>(text: string, params: readonly SqlValue[] = []): Promise<Row[]> {
    return (await this.#prepared(text, [...params])).rows as Row[]
  }

  async run(text: string, params: readonly SqlValue[] = []): Promise<number> {
    return (await this.#prepared(text, [...params])).rowCount ?? 0
  }

  async runEach(text: string, paramLists: readonly (readonly SqlValue[])[]): Promise<void> {
    await Promise.all(paramLists.map((params) => this.run(text, params)))
  }

  async insertEach({ into, types, onConflict }: Insert, rows: readonly (readonly SqlValue[])[]): Promise<void> {
    const columns = types.map((type, index) => `CAST($${index + 1} AS ${type}[])`)
    await this.#prepared(
      `INSERT INTO ${into} SELECT * FROM unnest(${columns.join(', ')}) ${onConflict}`,
      types.map((_, index) => rows.map((row) => row[index] as SqlValue)),
    )
  }

  async script(text: string): Promise<void> {
    await this.#send({ text, query_timeout: SCRIPT_TIMEOUT_MS })
  }

  #prepared(text: string, values: (SqlValue | SqlValue[])[] = []): Promise<pg.QueryResult> {
    const name = this.#names.get(text) ?? `s${this.#names.size + 1}`
    this.#names.set(text, name)
    return this.#send({ name, text, values })
  }

  async #send(query: pg.QueryConfig & { query_timeout?: number }): Promise<pg.QueryResult> {
    if (this.#hasEnded) throw new Error('a statement came after the end of its transaction')
    const { promise, resolve, reject } = Promise.withResolvers<pg.QueryResult>()
    this.#client.query(query, (error: unknown, result) => {
      if (error) reject(translatedStatement(error, this.#hasEnded))
      else resolve(result)
    })
    return promise
  }
}
