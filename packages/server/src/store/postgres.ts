import { Socket } from 'node:net'
import pg from 'pg'
import type { MigratableDriver } from './migrate.ts'
import {
  type AnnouncementListener,
  type Announcements,
  type Dialect,
  type Insert,
  OpenError,
  type SqlReader,
  type SqlValue,
  type SqlWriter,
  UnavailableError,
} from './sql.ts'
import { UnknownUserError } from './store.ts'

/** The most connections of a node; one more listens. */
const MAX_CONNECTIONS = 16
/** How long a connection is waited for, in milliseconds: until a new one stands, or one of the others is given back. */
const CONNECT_TIMEOUT_MS = 5_000
/** How long a statement may take, and how long it may wait for a lock, in milliseconds. */
const STATEMENT_TIMEOUT_MS = 20_000
const LOCK_TIMEOUT_MS = 10_000
/** How long a node that fell silent in the middle of a transaction holds its locks, in milliseconds. */
const SILENCE_TIMEOUT_MS = 10_000
/** How long a server that does not answer at all is waited for, in milliseconds. */
const ANSWER_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 5_000
/** The same for migrations, which take as long as they take: a day. */
const MIGRATION_TIMEOUT_MS = 24 * 60 * 60 * 1_000
/** How often a transaction is run again where that may help at once. */
const MAX_AGAIN = 5
/** The advisory lock of migrations: any number that other programs in the same database are not likely to choose. */
const MIGRATION_LOCK = 7_253_000_001

/** Where nodes announce. */
const CHANNEL = 'saldo_announcements'
/** When a connection that listened and was lost is made anew, and how often it is asked whether it stands. */
const LISTEN_AGAIN_MS = 250
const ASK_EVERY_MS = 10_000

const MIN_VERSION = 150_000

/** The types of PostgreSQL that our statements meet, by their numbers in its catalogue. */
const typeNumbers = { int8: 20, int2: 21, int4: 23, bpchar: 1042 }

const dialect: Dialect = {
  forUpdate: ' FOR UPDATE',
  eachOf: (param) =>
    `(SELECT number - 1 AS position, item FROM json_array_elements_text(CAST(${param} AS JSON))
      WITH ORDINALITY AS element (item, number)) AS given`,
  // One by one. Left to itself, the planner may read all of the user's records instead; OFFSET 0 keeps it from that.
  forEachOf: (param, query, text) =>
    `SELECT found.* FROM ${dialect.eachOf(param)} CROSS JOIN LATERAL (${query} AND ${text} = item OFFSET 0) AS found`,
  lastNumber: (table) => `SELECT CASE WHEN is_called THEN last_value ELSE 0 END AS last FROM ${table}_id_seq`,
  setLastNumber: (table, last) => `SELECT setval('${table}_id_seq', ${last})`,
  // No column has this type: it marks what the driver hands out as bytes, at no cost to the server.
  bytesOf: (text) => `CAST(${text} AS BPCHAR)`,
}

const parserOf = new Map<number, (text: string) => unknown>([
  [typeNumbers.int8, Number],
  [typeNumbers.int2, Number],
  [typeNumbers.int4, Number],
  [typeNumbers.bpchar, (text) => Buffer.from(text)],
])

/**
 * The settings of a session. Every statement names its rows by a key or goes along an index, and its plan must not hang on what the server believes of the
 * tables' sizes, which is little as long as they are young: no hash or merge joins, which read all of a user's records, no
 * sorting of what an index has in order, and one plan for all values, made once. Compiling costs more than any statement.
 */
const SESSION = [
  'enable_hashjoin=off',
  'enable_mergejoin=off',
  'enable_sort=off',
  'enable_incremental_sort=off',
  'enable_seqscan=off',
  'plan_cache_mode=force_generic_plan',
  'jit=off',
  // A statement in no transaction only reads.
  'default_transaction_read_only=on',
]

const asItIs = (text: string) => text

/**
 * PostgreSQL as an engine: a pool of connections, each transaction on one of them. Reads see the snapshot of their
 * first statement. Writes see, statement by statement, what is committed, so whatever must not change meanwhile has to
 * be locked first.
 */
export class PostgresDriver implements MigratableDriver, Announcements {
  readonly #hosts: Hosts
  readonly #onCommit: (writes: number) => void
  readonly #pool: pg.Pool
  /** The place of the database without its password. */
  readonly name: string
  /** Statements are prepared once per connection, under a name each. */
  readonly #statementNames = new Map<string, string>()
  /** Of each turn, the write that was the last to queue up. */
  readonly #turns = new Map<number, Promise<unknown>>()
  readonly #running = new Set<Promise<unknown>>()

  /**
   * Connects to nothing yet. Throws `OpenError` where the URL makes no sense. `onCommit` hears of each write, which has a
   * commit of its own.
   */
  constructor(url: string, onCommit: (writes: number) => void = () => {}) {
    this.#onCommit = onCommit
    const hosts = new Hosts(url)
    this.#hosts = hosts
    this.name = hosts.name
    const settings: pg.ClientConfig = {
      application_name: 'saldo',
      options: SESSION.map((setting) => `-c ${setting}`).join(' '),
      statement_timeout: STATEMENT_TIMEOUT_MS,
      lock_timeout: LOCK_TIMEOUT_MS,
      idle_in_transaction_session_timeout: SILENCE_TIMEOUT_MS,
      query_timeout: ANSWER_TIMEOUT_MS,
      keepAlive: true,
      pipeline: true,
      stream: () => new GatheringSocket(),
      types: { getTypeParser: (type: number) => parserOf.get(type) ?? asItIs },
    }
    this.#pool = new pg.Pool({
      max: MAX_CONNECTIONS,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      Client: class extends pg.Client {
        constructor() {
          super({ ...settings, connectionString: hosts.url })
        }
      },
      // The pool waits for the promise, though its types do not say so.
      onConnect: refuseStandby as (client: pg.ClientBase) => void,
    })
    // A connection that breaks fails the statements on it; between transactions nobody needs to hear of it.
    this.#pool.on('error', () => undefined)
    this.#pool.on('connect', (client) => client.on('error', () => undefined))
  }

  all<Row>(text: string, params?: readonly SqlValue[]): Promise<Row[]> {
    return this.#tracked(this.#again(() => this.#connected((sql) => sql.all<Row>(text, params))))
  }

  read<T>(body: (sql: SqlReader) => Promise<T>): Promise<T> {
    return this.#tracked(this.#again(() => this.#transact(READ, body)))
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
    await this.#tracked(this.#transact(WRITE, (sql) => sql.run(text, [JSON.stringify(texts)])))
  }

  listen(listener: AnnouncementListener): { close(): Promise<void> } {
    return new PostgresListening(this.#hosts, listener)
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.#running)
    await this.#pool.end()
  }

  async #tracked<T>(work: Promise<T>): Promise<T> {
    this.#running.add(work)
    try {
      return await work
    } finally {
      this.#running.delete(work)
    }
  }

  #inTurn<T>(turn: number, work: () => Promise<T>): Promise<T> {
    const before = this.#turns.get(turn)
    const run = before ? before.then(work, work) : work()
    this.#turns.set(turn, run)
    const leave = () => {
      if (this.#turns.get(turn) === run) this.#turns.delete(turn)
    }
    run.then(leave, leave)
    return run
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

  async #connect(): Promise<pg.PoolClient> {
    for (let left = this.#hosts.count; ; left -= 1) {
      const { url } = this.#hosts
      const isFull = this.#pool.totalCount === MAX_CONNECTIONS && this.#pool.idleCount === 0
      try {
        return await this.#pool.connect()
      } catch (error) {
        // Who waited in vain for one of the others knows nothing of the host.
        if (!isFull) this.#hosts.leave(url)
        if (left === 1 || this.#hosts.url === url) throw translated(error)
      }
    }
  }

  #transact<T>(kind: TransactionKind, body: (sql: SqlWriter) => Promise<T>): Promise<T> {
    return this.#connected(async (transaction) => {
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

  async #connected<T>(work: (sql: PostgresTransaction) => Promise<T>): Promise<T> {
    const client = await this.#connect()
    try {
      const result = await work(new PostgresTransaction(client, this.#statementNames))
      client.release()
      return result
    } catch (error) {
      // A connection of which nobody knows how it stands is not used again; with it, the transaction ends.
      client.release(error instanceof UnavailableError)
      throw error
    }
  }
}

/**
 * Sends the statements of one turn of the event loop at once: each sending wakes the server, and costs more than most
 * statements do. The driver corks and uncorks the socket around each that is prepared.
 */
class GatheringSocket extends Socket {
  override uncork(): void {
    process.nextTick(() => super.uncork())
  }
}

/** The hosts of a database, of which one takes writes at a time: who finds that it is not this one goes to the next. */
class Hosts {
  readonly #urls: readonly string[]
  /** The place of the database without its password. */
  readonly name: string
  #at = 0

  /** Throws `OpenError` where the URL makes no sense. */
  constructor(url: string) {
    const [, before = '', hosts = '', after = ''] = /^(\w+:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s.exec(url) ?? []
    this.#urls = hosts.split(',').map((host) => before + host + after)
    try {
      const clients = this.#urls.map((each) => new pg.Client(each))
      const places = clients.map(({ host, port }) => `${host}:${port}`)
      this.name = `the database ${clients[0]?.database} on ${places.join(' or ')}`
    } catch (error) {
      throw new OpenError('the URL of the database is not valid', { cause: error })
    }
  }

  get count(): number {
    return this.#urls.length
  }

  /** With the host to go to. */
  get url(): string {
    return this.#urls[this.#at] as string
  }

  /** To be called with a URL whose host could not be used; of several that meet that at once, one goes on. */
  leave(url: string): void {
    if (url === this.url) this.#at = (this.#at + 1) % this.#urls.length
  }
}

/** A standby reads what is behind, and so does a server that was replaced by its standby and came back as one. */
async function refuseStandby(client: pg.ClientBase): Promise<void> {
  const { rowCount } = await client.query('SELECT 1 WHERE pg_is_in_recovery()')
  if (rowCount) throw new Error('the server is a standby')
}

/** A connection that listens, and the next one where it is lost. */
class PostgresListening {
  readonly #hosts: Hosts
  readonly #listener: AnnouncementListener
  #client: pg.Client | undefined
  #again: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(hosts: Hosts, listener: AnnouncementListener) {
    this.#hosts = hosts
    this.#listener = listener
    this.#begin()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#again)
    await this.#client?.end()
  }

  #begin(): void {
    const { url } = this.#hosts
    const client = new pg.Client({
      connectionString: url,
      application_name: 'saldo',
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: CONNECT_TIMEOUT_MS,
      keepAlive: true,
      pipeline: true,
    })
    this.#client = client
    let isListening = false
    // A server that is gone without a word does not answer, and the question ends the connection.
    const asking = setInterval(() => void client.query('SELECT 1').catch(lose), ASK_EVERY_MS)
    const lose = (error: unknown): void => {
      if (this.#client !== client) return
      this.#client = undefined
      clearInterval(asking)
      void client.end()
      if (this.#isClosed) return
      if (!isListening) this.#hosts.leave(url)
      this.#listener.lose(new UnavailableError('unavailable', { cause: error }))
      this.#again = setTimeout(() => this.#begin(), LISTEN_AGAIN_MS)
    }
    client.on('error', lose)
    client.on('end', () => lose(new Error('the connection has ended')))
    client.on('notification', ({ payload = '' }) => this.#listener.hear(payload))
    const begun = client.connect().then(() => client.query(`LISTEN ${CHANNEL}`))
    begun.then(() => {
      isListening = true
      this.#listener.begin()
    }, lose)
  }
}

interface TransactionKind {
  begin: string
  /** Whether it matters how the commit ends. */
  changes: boolean
}

const READ: TransactionKind = { begin: 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', changes: false }
const WRITE: TransactionKind = { begin: 'BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE', changes: true }

/** Statements are sent as they come, without waiting for the answers of those before: BEGIN leaves with the first. */
class PostgresTransaction implements SqlWriter {
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
    if (!changes) committed.catch(() => undefined)
    else if ((await committed).command !== 'COMMIT')
      throw new Error('a write went on after a statement that had failed')
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
    await this.#send({ text, query_timeout: MIGRATION_TIMEOUT_MS })
  }

  #prepared(text: string, values: (SqlValue | SqlValue[])[] = []): Promise<pg.QueryResult> {
    const name = this.#names.get(text) ?? `s${this.#names.size + 1}`
    this.#names.set(text, name)
    return this.#send({ name, text, values })
  }

  async #send(query: pg.QueryConfig & { query_timeout?: number }): Promise<pg.QueryResult> {
    if (this.#hasEnded) throw new Error('a statement came after the end of its transaction')
    const { promise, resolve, reject } = Promise.withResolvers<pg.QueryResult>()
    this.#client.query(query, (error: unknown, result) => (error ? reject(translated(error)) : resolve(result)))
    return promise
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

/**
 * What may succeed at once when it is run again: transactions ended in favour of another (serialisation failures and
 * deadlocks), and statements prepared before another node changed the schema, on a connection that is new then.
 */
function canRunAgain(error: unknown): boolean {
  return error instanceof UnavailableError && /^(40001|40P01|0A000|26000)$/.test(codeOf(error.cause))
}

/**
 * The classes of SQLSTATE after which the same work may succeed later: lost connections, sessions refused or ended, no
 * resources, a standby, errors of its system, locks and timeouts, conflicts, an administrator at work, prepared statements
 * that no longer fit.
 */
const passing = /^(08|28|3D|40|53|55|57|58|XX)|^25(006|P03)|^(0A|26)000/

function translated(error: unknown): unknown {
  // All references lead to users.
  const code = codeOf(error)
  if (code === '23503') return new UnknownUserError()
  if (code === '53100') return new UnavailableError('storage_full', { cause: error })
  if (!(error instanceof pg.DatabaseError) || passing.test(code))
    return new UnavailableError('unavailable', { cause: error })
  return error
}

function codeOf(error: unknown): string {
  return error instanceof pg.DatabaseError ? (error.code ?? '') : ''
}
