import type { MigratableDriver } from '../migrate.ts'
import {
  type AnnouncementListener,
  type Announcements,
  OpenError,
  type SqlParam,
  type SqlReader,
  type SqlWriter,
  UnavailableError,
} from '../sql.ts'
import type { ReadOptions } from '../store.ts'
import { dialect } from './dialect.ts'
import { canRunAgain } from './errors.ts'
import { Hosts } from './hosts.ts'
import { CHANNEL, PostgresListening } from './listening.ts'
import { ConnectionPool } from './pool.ts'
import { AskedLaterError, PostgresTransaction, READ, type TransactionKind, WRITE } from './transaction.ts'

/** How often a transaction is run again where that may help at once. */
const MAX_AGAIN = 5
/** The advisory lock of migrations: any number that other programs in the same database are not likely to choose. */
const MIGRATION_LOCK = 7_253_000_001

const MIN_VERSION = 150_000

/**
 * PostgreSQL as an engine: a pool of connections, each transaction on one of them. Reads see the snapshot of their
 * first statement. Writes see, statement by statement, what is committed, so whatever must not change meanwhile has to
 * be locked first.
 */
export class PostgresDriver implements MigratableDriver, Announcements {
  readonly #hosts: Hosts
  readonly #onCommit: (writes: number) => void
  readonly #pool: ConnectionPool
  /** The place of the database without its password. */
  readonly name: string
  /** Who waits for each turn that is somebody's. */
  readonly #turns = new Map<number, (() => void)[]>()
  /** How much work runs, counted, since sets that change all the time keep what they held; and what is called when none does any more. */
  #running = 0
  #whenDone: () => void = () => undefined

  /**
   * Connects to nothing yet. Throws `OpenError` where the URL makes no sense. `onCommit` hears of each write, which has a
   * commit of its own.
   */
  constructor(url: string, onCommit: (writes: number) => void = () => {}) {
    this.#onCommit = onCommit
    const hosts = new Hosts(url)
    this.#hosts = hosts
    this.name = hosts.name
    this.#pool = new ConnectionPool(hosts)
  }

  all<Row>(text: string, params?: readonly SqlParam[]): Promise<Row[]> {
    return this.#tracked(this.#atOnce((sql) => sql.all<Row>(text, params)))
  }

  read<T>(body: (sql: SqlReader) => Promise<T>, { atOnce = false }: ReadOptions = {}): Promise<T> {
    const inTransaction = () => this.#again(() => this.#transact(READ, body))
    if (!atOnce) return this.#tracked(inTransaction())
    return this.#tracked(
      this.#atOnce(body).catch((error: unknown) => {
        if (error instanceof AskedLaterError) return inTransaction()
        throw error
      }),
    )
  }

  write<T>(body: (sql: SqlWriter) => Promise<T>, turn?: number): Promise<T> {
    const run = async () => {
      const result = await this.#again(() => this.#transact(WRITE, body))
      this.#onCommit(1)
      return result
    }
    return this.#tracked(turn === undefined ? run() : this.#inTurn(turn, run))
  }

  /** Throws `OpenError` unless the database can be reached and can be Saldo's. Changes nothing in it. */
  async examine(): Promise<void> {
    const found = await this.read((sql) =>
      sql.all<{ version: number; encoding: string; durable: number; foreign: number }>(`
        SELECT CAST(current_setting('server_version_num') AS INTEGER) AS version,
          current_setting('server_encoding') AS encoding,
          CAST(current_setting('fsync') = 'on' AND current_setting('synchronous_commit') <> 'off' AS INTEGER) AS durable,
          CAST(to_regclass('schema_level') IS NULL AND EXISTS (
            SELECT 1 FROM pg_tables WHERE schemaname = current_schema()) AS INTEGER) AS foreign`),
    ).catch((error: unknown) => {
      const cause = error instanceof UnavailableError ? error.cause : error
      const [reason] = (cause instanceof Error ? cause.message || String(cause) : String(cause)).split('\n')
      throw new OpenError(`${this.name} cannot be used: ${reason}`, { cause: error })
    })
    const [{ version, encoding, durable, foreign }] = found as [(typeof found)[number]]
    if (version < MIN_VERSION) {
      throw new OpenError(`${this.name} is of PostgreSQL ${Math.trunc(version / 10_000)}: 15 or newer is needed`)
    }
    if (encoding !== 'UTF8') throw new OpenError(`${this.name} has the encoding ${encoding}: UTF8 is needed`)
    if (!durable) {
      throw new OpenError(`${this.name} acknowledges what is not on the disk yet: turn fsync and synchronous_commit on`)
    }
    if (foreign)
      throw new OpenError(`${this.name} holds the tables of another program: give Saldo a database of its own`)
  }

  userVersion(): Promise<number> {
    return this.read(levelOf)
  }

  async lockUserVersion(sql: SqlWriter): Promise<number> {
    await sql.script(`
      SET LOCAL lock_timeout = 0;
      SET LOCAL statement_timeout = 0;
      SELECT pg_advisory_xact_lock(${MIGRATION_LOCK});
    `)
    return levelOf(sql)
  }

  setUserVersion(level: number): string {
    return `UPDATE schema_level SET user_version = ${level}`
  }

  /** A dump is for its administrator to make. */
  async keepCopy(): Promise<void> {}

  async announce(texts: readonly string[]): Promise<void> {
    const text = `SELECT pg_notify('${CHANNEL}', item) FROM ${dialect.eachOf('$1')}`
    await this.#tracked(this.#transact(WRITE, (sql) => sql.run(text, [texts])))
  }

  listen(listener: AnnouncementListener): { close(): Promise<void> } {
    return new PostgresListening(this.#hosts, listener)
  }

  async close(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#whenDone = resolve
      if (this.#running === 0) resolve()
    })
    await this.#pool.close()
  }

  async #tracked<T>(work: Promise<T>): Promise<T> {
    this.#running += 1
    try {
      return await work
    } finally {
      this.#running -= 1
      if (this.#running === 0) this.#whenDone()
    }
  }

  async #inTurn<T>(turn: number, work: () => Promise<T>): Promise<T> {
    const waiting = this.#turns.get(turn)
    if (waiting) await new Promise<void>((resolve) => waiting.push(resolve))
    else this.#turns.set(turn, [])
    try {
      return await work()
    } finally {
      this.#passOn(turn)
    }
  }

  #passOn(turn: number): void {
    const next = this.#turns.get(turn)?.shift()
    if (next) next()
    else this.#turns.delete(turn)
  }

  async #again<T>(attempt: () => Promise<T>): Promise<T> {
    for (let left = MAX_AGAIN; ; left -= 1) {
      try {
        return await attempt()
      } catch (error) {
        if (left === 0 || !canRunAgain(error)) throw error
      }
    }
  }

  /** Runs statements that all leave in one turn, in a transaction of their own and beside others of that turn. */
  #atOnce<T>(body: (sql: SqlReader) => Promise<T>): Promise<T> {
    return this.#again(() => this.#pool.share((client) => body(new PostgresTransaction(client))))
  }

  #transact<T>(kind: TransactionKind, body: (sql: SqlWriter) => Promise<T>): Promise<T> {
    return this.#pool.use(async (client) => {
      const transaction = new PostgresTransaction(client)
      try {
        transaction.begin(kind)
        const result = await body(transaction)
        await transaction.commit(kind)
        return result
      } catch (error) {
        if (!(error instanceof UnavailableError)) transaction.rollBack()
        throw error
      }
    })
  }
}

async function levelOf(sql: SqlReader): Promise<number> {
  const [found] = await sql.all(
    `SELECT 1 FROM pg_tables WHERE schemaname = current_schema() AND tablename = 'schema_level'`,
  )
  if (!found) return 0
  const [row] = await sql.all<{ user_version: number }>('SELECT user_version FROM schema_level')
  return row?.user_version ?? 0
}
