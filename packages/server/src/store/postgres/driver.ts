import { errorText } from '../../error-text.ts'
import { ClosedError, OpenError, UnavailableError } from '../../errors.ts'
import { Gate } from '../../gate.ts'
import type { MigratableDriver } from '../migrate.ts'
import type { AnnouncementListener, Announcements, Listening, SqlParam, SqlReader, SqlWriter } from '../sql.ts'
import { canRunAgain, isServerBehindLost } from './errors.ts'
import { Hosts } from './hosts.ts'
import { CHANNEL, LISTENER_NAME, PostgresListening } from './listening.ts'
import { ConnectionPool, DEFAULT_CONNECTIONS, keepsConnection } from './pool.ts'
import { PostgresTransaction, postgresDialect } from './transaction.ts'

const BEGIN_READ = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY'
const BEGIN_WRITE = 'BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE'
const MAX_RETRIES = 5
/** The advisory lock of migrations: a number that other programs in the database are unlikely to use. */
const MIGRATION_LOCK = 7_253_000_001

const MIN_VERSION = 150_000

/**
 * The engine over PostgreSQL: a pool of connections, with one transaction at a time on each. A read sees the snapshot
 * of its first statement. Each statement of a write sees what is committed by then, so a write locks first what must
 * not change.
 */
export class PostgresDriver implements MigratableDriver, Announcements {
  readonly dialect = postgresDialect
  readonly #hosts: Hosts
  readonly #onCommit: (writes: number) => void
  readonly #pool: ConnectionPool
  /** The place of the database without its password. */
  readonly name: string
  readonly #reads = new Gate(1)
  readonly #writes = new Gate(1)
  readonly #running = new Set<Promise<unknown>>()
  #isClosed = false

  /** Does not connect yet. Throws `OpenError` if the URL is invalid. Calls `onCommit` after each write. */
  constructor(url: string, onCommit: (writes: number) => void = () => {}, connections = DEFAULT_CONNECTIONS) {
    this.#onCommit = onCommit
    const hosts = new Hosts(url)
    this.#hosts = hosts
    this.name = hosts.name
    this.#pool = new ConnectionPool(hosts, connections)
  }

  all<Row>(text: string, params?: readonly SqlParam[]): Promise<Row[]> {
    return this.#track(() =>
      this.#retry(() => this.#pool.use((client) => new PostgresTransaction(client).all<Row>(text, params))),
    )
  }

  run(text: string, params?: readonly SqlParam[]): Promise<number> {
    return this.write((sql) => sql.run(text, params))
  }

  read<T>(body: (sql: SqlReader) => Promise<T>, turn?: number): Promise<T> {
    const run = () => this.#retry(() => this.#transact(BEGIN_READ, body, (transaction) => transaction.endRead()))
    return this.#track(() => (turn === undefined ? run() : this.#reads.run(turn, run)))
  }

  write<T>(body: (sql: SqlWriter) => Promise<T>, turn?: number): Promise<T> {
    const run = () => this.#retry(() => this.#write(body))
    return this.#track(() => (turn === undefined ? run() : this.#writes.run(turn, run)))
  }

  /** Returns users together unless Citus has distributed their counters. */
  async byServer<User extends number>(users: readonly User[]): Promise<User[][]> {
    if (users.length === 0) return []
    const isDistributed = `SELECT 1 FROM pg_dist_partition
      WHERE logicalrelid = 'counters'::regclass AND partmethod = 'h'`
    // The first look into the database has told whether it is there.
    if (!this.#pool.hasCitus || (await this.all(isDistributed)).length === 0) return [[...users]]
    const rows = await this.all<{ user: User; server: number }>(
      `SELECT CAST(item AS BIGINT) AS "user", groupid AS server FROM ${postgresDialect.eachOf('$1')}
         JOIN pg_dist_placement
           ON shardid = get_shard_id_for_distribution_column('counters', CAST(item AS BIGINT))`,
      [users.map(String)],
    )
    const byServer = Map.groupBy(rows, ({ server }) => server).values()
    return [...byServer].map((ofServer) => ofServer.map(({ user }) => user))
  }

  /** Throws `OpenError` unless the database can be reached and is empty or Saldo's. Changes nothing. */
  async examine(): Promise<void> {
    const found = await this.read((sql) =>
      sql.all<{ version: number; encoding: string; durable: number; foreign: number }>(`
        SELECT CAST(current_setting('server_version_num') AS INTEGER) AS version,
          current_setting('server_encoding') AS encoding,
          CAST(current_setting('fsync') = 'on'
            AND current_setting('synchronous_commit') <> 'off' AS INTEGER) AS durable,
          CAST(to_regclass('schema_level') IS NULL AND EXISTS (
            SELECT 1 FROM pg_tables WHERE schemaname = current_schema()) AS INTEGER) AS foreign`),
    ).catch((error: unknown) => {
      const cause = error instanceof UnavailableError ? error.cause : error
      throw new OpenError(`${this.name} cannot be used: ${errorText(cause)}`, { cause: error })
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

  /** Does nothing: the administrator makes dumps. */
  async keepCopy(): Promise<void> {}

  async announce(texts: readonly string[]): Promise<void> {
    const text = `SELECT pg_notify('${CHANNEL}', item) FROM ${postgresDialect.eachOf('$1')}`
    // A message is no write of a user, so `onCommit` does not hear of it.
    await this.#track(() => this.#transact(BEGIN_WRITE, (sql) => sql.run(text, [texts])))
  }

  async hasListeners(): Promise<boolean> {
    const listeners = 'SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = $1'
    return (await this.all(listeners, [LISTENER_NAME])).length > 0
  }

  listen(listener: AnnouncementListener): Listening {
    return new PostgresListening(this.#hosts, listener)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.allSettled(this.#running)
    await this.#pool.close()
  }

  async #track<T>(begin: () => Promise<T>): Promise<T> {
    if (this.#isClosed) throw new ClosedError()
    const work = begin()
    this.#running.add(work)
    try {
      return await work
    } finally {
      this.#running.delete(work)
    }
  }

  async #retry<T>(attempt: () => Promise<T>): Promise<T> {
    for (let left = MAX_RETRIES; ; left -= 1) {
      try {
        return await attempt()
      } catch (error) {
        if (left === 0 || !canRunAgain(error)) throw error
        if (isServerBehindLost(error)) left = Math.min(left, 1)
      }
    }
  }

  async #write<T>(body: (sql: SqlWriter) => Promise<T>): Promise<T> {
    const result = await this.#transact(BEGIN_WRITE, body)
    this.#onCommit(1)
    return result
  }

  #transact<T>(
    begin: string,
    body: (sql: SqlWriter) => Promise<T>,
    end: (transaction: PostgresTransaction) => Promise<void> | void = (transaction) => transaction.commit(),
  ): Promise<T> {
    return this.#pool.use(async (client) => {
      const transaction = new PostgresTransaction(client)
      // It travels with the first statement. If it fails, so does the commit; until then the session is read-only.
      const begun = transaction.script(begin)
      begun.catch(() => undefined)
      try {
        const result = await body(transaction)
        await begun
        await end(transaction)
        return result
      } catch (error) {
        // The pool closes a connection on which the rollback fails.
        if (keepsConnection(error)) await client.query('ROLLBACK').catch(() => undefined)
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
