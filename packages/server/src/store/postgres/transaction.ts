import type pg from 'pg'
import { type Insert, type SqlParam, type SqlValue, type SqlWriter, UnavailableError } from '../sql.ts'
import { columnParam, textsParam } from './arrays.ts'
import { type Answer, type Param, type Statement, sendTogether } from './batch.ts'
import { dialect } from './dialect.ts'
import { translatedStatement } from './errors.ts'

export interface TransactionKind {
  begin: string
  /** Whether it matters how the commit ends. */
  changes: boolean
}

export const READ: TransactionKind = { begin: 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', changes: false }
export const WRITE: TransactionKind = { begin: 'BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE', changes: true }

/** A statement came when those before had left, and there is no transaction that would hold them together. */
export class AskedLaterError extends Error {}

/**
 * Statements on a connection: a transaction from `begin` to its end, or those of one turn of the event loop, which only read and
 * are one transaction by themselves.
 *
 * Statements are sent without waiting for the answers of those before, and those of one turn together.
 */
export class PostgresTransaction implements SqlWriter {
  readonly dialect = dialect
  readonly #client: pg.ClientBase
  #waiting: Statement[] = []
  #hasBegun = false
  #hasSent = false
  /** Of the first statement that failed. */
  #failure: unknown
  #hasEnded = false
  /** Whether the server has said that it is. */
  #isOver = false

  constructor(client: pg.ClientBase) {
    this.#client = client
  }

  begin({ begin }: TransactionKind): void {
    this.#hasBegun = true
    // Told by `commit`.
    this.#send(begin).catch(() => undefined)
  }

  /** Throws what the first statement threw that failed, also where nobody has waited for it. */
  async commit({ changes }: TransactionKind): Promise<void> {
    const committed = this.#send('COMMIT')
    this.#end()
    // What was read is read.
    if (!changes) return void committed.catch(() => undefined)
    const { tag, hasWarned } = await committed
    this.#isOver = true
    if (tag !== 'COMMIT') throw this.#failure
    // A server that was told to wait no longer for its standby has committed, and warns that a fail-over may lose it.
    if (hasWarned) throw new UnavailableError('unavailable', { cause: new Error('the server warned') })
  }

  rollBack(): void {
    if (this.#isOver) return
    this.#send('ROLLBACK').catch(() => undefined)
    this.#end()
  }

  async all<Row>(text: string, params: readonly SqlParam[] = []): Promise<Row[]> {
    return (await this.#ask(text, params.map(paramOf))).rows as Row[]
  }

  async run(text: string, params: readonly SqlParam[] = []): Promise<number> {
    const { tag } = await this.#ask(text, params.map(paramOf))
    return Number(tag.slice(tag.lastIndexOf(' ') + 1))
  }

  async runEach(text: string, paramLists: readonly (readonly SqlValue[])[]): Promise<void> {
    await Promise.all(paramLists.map((params) => this.run(text, params)))
  }

  async insertEach(
    insert: Insert,
    rows: readonly (readonly SqlValue[])[],
    common: readonly SqlValue[] = [],
  ): Promise<void> {
    const columns = insert.types.map((type, column) => columnParam(type, rows, column))
    await this.#ask(textOf(insert), [...common.map(paramOf), ...columns])
  }

  async script(text: string): Promise<void> {
    this.#flush()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.#client.query(text, (error: unknown) => (error ? reject(this.#failed(error)) : resolve()))
    return promise
  }

  async #ask(text: string, params: readonly Param[]): Promise<Answer> {
    if (this.#hasEnded) throw new Error('a statement came after the end of its transaction')
    if (this.#hasSent && !this.#hasBegun) throw new AskedLaterError('a statement came later than those before')
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
    this.#hasSent = true
    if (statements.length > 0) sendTogether(this.#client, statements)
  }

  #end(): void {
    this.#hasEnded = true
    this.#flush()
  }

  #failed(error: unknown): unknown {
    this.#failure ??= translatedStatement(error, this.#hasEnded)
    return this.#failure
  }
}

function paramOf(param: SqlParam): Param {
  if (param === null) return null
  return typeof param === 'object' ? textsParam(param) : String(param)
}

const insertTexts = new WeakMap<Insert, string>()

/** The statement of an insert, put together once. */
function textOf(insert: Insert): string {
  const known = insertTexts.get(insert)
  if (known !== undefined) return known
  const { into, common = [], types, onConflict = '' } = insert
  const same = common.map((type, index) => `CAST($${index + 1} AS ${type}), `).join('')
  const columns = types.map((type, index) => `CAST($${common.length + index + 1} AS ${type}[])`)
  const text = `INSERT INTO ${into} SELECT ${same}* FROM unnest(${columns.join(', ')}) ${onConflict}`
  insertTexts.set(insert, text)
  return text
}
