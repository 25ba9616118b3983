import type pg from 'pg'
import type { Insert, SqlValue, SqlWriter } from '../sql.ts'
import { arrayParam } from './arrays.ts'
import { type Answer, type Param, type Statement, sendTogether } from './batch.ts'
import { dialect } from './dialect.ts'
import { translated } from './errors.ts'

/** How long a migration's script is waited for, in milliseconds, which takes as long as it takes: a day. */
const SCRIPT_TIMEOUT_MS = 24 * 60 * 60 * 1_000

export interface TransactionKind {
  begin: string
  /** Whether it matters how the commit ends. */
  changes: boolean
}

export const READ: TransactionKind = { begin: 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', changes: false }
export const WRITE: TransactionKind = { begin: 'BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE', changes: true }

/** Statements are sent without waiting for the answers of those before, and those of one turn of the event loop together. */
export class PostgresTransaction implements SqlWriter {
  readonly dialect = dialect
  readonly #client: pg.PoolClient
  #waiting: Statement[] = []
  /** Of the first statement that failed. */
  #failure: unknown
  #hasEnded = false

  constructor(client: pg.PoolClient) {
    this.#client = client
  }

  begin({ begin }: TransactionKind): void {
    // Told by `commit`.
    this.#send(begin).catch(() => undefined)
  }

  /** Throws what the first statement threw that failed, also where nobody has waited for it. */
  async commit({ changes }: TransactionKind): Promise<void> {
    const committed = this.#send('COMMIT')
    this.#end()
    // What was read is read.
    if (!changes) committed.catch(() => undefined)
    else if ((await committed).tag !== 'COMMIT') throw this.#failure
  }

  rollBack(): void {
    this.#send('ROLLBACK').catch(() => undefined)
    this.#end()
  }

  async all<Row>(text: string, params: readonly SqlValue[] = []): Promise<Row[]> {
    return (await this.#ask(text, params.map(scalarParam))).rows as Row[]
  }

  async run(text: string, params: readonly SqlValue[] = []): Promise<number> {
    const { tag } = await this.#ask(text, params.map(scalarParam))
    return Number(tag.slice(tag.lastIndexOf(' ') + 1))
  }

  async runEach(text: string, paramLists: readonly (readonly SqlValue[])[]): Promise<void> {
    await Promise.all(paramLists.map((params) => this.run(text, params)))
  }

  async insertEach({ into, types, onConflict }: Insert, rows: readonly (readonly SqlValue[])[]): Promise<void> {
    const columns = types.map((type, index) => `CAST($${index + 1} AS ${type}[])`)
    await this.#ask(
      `INSERT INTO ${into} SELECT * FROM unnest(${columns.join(', ')}) ${onConflict}`,
      types.map((type, index) =>
        arrayParam(
          type,
          rows.map((row) => row[index] as SqlValue),
        ),
      ),
    )
  }

  async script(text: string): Promise<void> {
    this.#flush()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const query = { text, query_timeout: SCRIPT_TIMEOUT_MS }
    this.#client.query(query, (error: unknown) => (error ? reject(this.#failed(error)) : resolve()))
    return promise
  }

  async #ask(text: string, params: readonly Param[]): Promise<Answer> {
    if (this.#hasEnded) throw new Error('a statement came after the end of its transaction')
    return this.#send(text, params)
  }

  #send(text: string, params: readonly Param[] = []): Promise<Answer> {
    if (this.#waiting.length === 0) process.nextTick(() => this.#flush())
    return new Promise((resolve, reject) => {
      this.#waiting.push({ text, params, resolve, reject: (error) => reject(this.#failed(error)) })
    })
  }

  #flush(): void {
    const statements = this.#waiting
    this.#waiting = []
    if (statements.length > 0) sendTogether(this.#client, statements)
  }

  #end(): void {
    this.#hasEnded = true
    this.#flush()
  }

  #failed(error: unknown): unknown {
    this.#failure ??= translated(error)
    return this.#failure
  }
}

function scalarParam(value: SqlValue): Param {
  return value === null ? null : String(value)
}
