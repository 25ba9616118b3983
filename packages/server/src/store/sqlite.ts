import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import Database from 'better-sqlite3'
import type { MigratableDriver } from './migrate.ts'
import {
  type Dialect,
  type Insert,
  OpenError,
  type SqlParam,
  type SqlReader,
  type SqlValue,
  type SqlWriter,
  UnavailableError,
} from './sql.ts'
import { UnknownUserError } from './store.ts'

/** How long a statement waits for another process that writes, in milliseconds. */
const BUSY_TIMEOUT_MS = 5_000
/** How long a lock is waited for that another process may be about to give back, in milliseconds. */
const LOCK_TIMEOUT_MS = 1_000
/** The most transactions that share one commit. */
const MAX_GROUP = 64
/** Files up to this size are checked whole when they are opened. It takes 1 to 2 ms per MiB. */
const CHECKED_BYTES = 128 * 1024 * 1024

const dialect: Dialect = {
  forUpdate: '',
  forUpdateIfFree: '',
  eachOf: (param) => `(SELECT value AS item FROM json_each(${param})) AS given`,
  joinEach: (table, condition) => `CROSS JOIN ${table} ON ${condition}`,
  lastNumber: (table) => `SELECT COALESCE(MAX(seq), 0) AS last FROM sqlite_sequence WHERE name = '${table}'`,
  setLastNumber: (table, last) =>
    `DELETE FROM sqlite_sequence WHERE name = '${table}';
     INSERT INTO sqlite_sequence (name, seq) VALUES ('${table}', ${last})`,
  // Ten thousand rows cost most on their way out of the engine.
  listsOf: (query) =>
    `SELECT kind, CAST(string_agg(body, ',') AS BLOB) AS list, COUNT(*) AS records, MAX(id) AS last_id
     FROM (${query}) AS page GROUP BY kind ORDER BY kind`,
}

type Connection = Database.Database

/** A write that waits for its turn; `settle` is called once its outcome is certain. */
interface Waiting {
  body: (sql: SqlWriter) => Promise<unknown>
  resolve: (value: unknown) => void
  reject: (error: unknown) => void
}

/**
 * SQLite as an engine: a file in WAL mode with `synchronous=FULL`, one connection that writes and one that reads.
 * Writes that wait at the same time share one commit, each in a savepoint with an outcome of its own.
 */
export class SqliteDriver implements MigratableDriver {
  readonly #file: string
  readonly #onCommit: (writes: number) => void
  readonly #writer: Connection
  readonly #reader: Connection
  readonly #write: SqliteTransaction
  readonly #read: SqliteTransaction
  #waiting: Waiting[] = []
  #flushing: Promise<void> | undefined
  #reading: Promise<unknown> = Promise.resolve()

  /** Makes an empty database where there is no file yet. */
  static createEmpty(file: string): void {
    try {
      new Database(file).exec('VACUUM').close()
    } catch (error) {
      throw openError(file, error)
    }
  }

  /**
   * Opens an existing SQLite file that is empty of tables or Saldo's. Throws `OpenError` where that cannot be done.
   * `onCommit` hears how many writes shared a commit.
   */
  constructor(file: string, onCommit: (writes: number) => void = () => {}) {
    this.#file = file
    this.#onCommit = onCommit
    this.#writer = connect(file)
    try {
      examine(this.#writer, file)
      this.#writer.pragma('synchronous = FULL')
      if (this.#writer.pragma('journal_mode = WAL', { simple: true }) !== 'wal') {
        throw new OpenError(`${file} cannot be put into write-ahead mode`)
      }
      this.#reader = connect(file)
    } catch (error) {
      this.#writer.close()
      throw error instanceof OpenError ? error : openError(file, error)
    }
    this.#reader.pragma('query_only = ON')
    this.#write = new SqliteTransaction(this.#writer)
    this.#read = new SqliteTransaction(this.#reader)
  }

  all<Row>(text: string, params?: readonly SqlParam[]): Promise<Row[]> {
    return this.read((sql) => sql.all<Row>(text, params))
  }

  read<T>(body: (sql: SqlReader) => Promise<T>): Promise<T> {
    // One after another: a connection has one transaction at a time.
    const run = this.#reading.then(async () => {
      try {
        this.#read.control('BEGIN')
        return await body(this.#read)
      } catch (error) {
        throw translated(error)
      } finally {
        if (this.#reader.inTransaction) this.#read.control('COMMIT')
      }
    })
    this.#reading = run.catch(() => undefined)
    return run
  }

  write<T>(body: (sql: SqlWriter) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ body, resolve: resolve as (value: unknown) => void, reject })
      // The next turn of the event loop: by then, all requests that have arrived stand in the queue.
      this.#flushing ??= new Promise<void>((resolve) => setImmediate(resolve)).then(() => this.#flush())
    })
  }

  userVersion(): Promise<number> {
    return this.read((sql) => this.lockUserVersion(sql))
  }

  /** Whoever writes has locked all. */
  async lockUserVersion(sql: SqlReader): Promise<number> {
    const [row] = await sql.all<{ user_version: number }>('PRAGMA user_version')
    return row?.user_version ?? 0
  }

  setUserVersion(level: number): string {
    return `PRAGMA user_version = ${level}`
  }

  async keepCopy(level: number): Promise<void> {
    const copy = `${this.#file}.level-${level}`
    const unfinished = `${copy}.new`
    rmSync(unfinished, { force: true })
    try {
      writeFileSync(unfinished, '', { mode: 0o600 })
      this.#writer.prepare('VACUUM INTO ?').run(unfinished)
      sync(unfinished)
      renameSync(unfinished, copy)
    } finally {
      // What is left where the disk became full.
      rmSync(unfinished, { force: true })
    }
  }

  async close(): Promise<void> {
    await this.#flushing
    await this.#reading
    this.#reader.close()
    try {
      this.#writer.pragma(`busy_timeout = ${LOCK_TIMEOUT_MS}`)
      this.#writer.pragma('wal_checkpoint(TRUNCATE)')
    } catch (error) {
      // On a full disk, say. What was committed stays in the write-ahead file until the database is opened again.
      if (!(error instanceof Database.SqliteError)) throw error
    } finally {
      this.#writer.close()
    }
  }

  async #flush(): Promise<void> {
    while (this.#waiting.length > 0) await this.#commit(this.#waiting.splice(0, MAX_GROUP))
    this.#flushing = undefined
  }

  /** Runs the bodies in one transaction, each in a savepoint, and settles each after the commit. */
  async #commit(group: readonly Waiting[]): Promise<void> {
    const settlements: (() => void)[] = []
    try {
      this.#write.control('BEGIN IMMEDIATE')
      for (const { body, resolve, reject } of group) {
        this.#write.control('SAVEPOINT one')
        try {
          const value = await body(this.#write)
          this.#write.requireSuccess()
          settlements.push(() => resolve(value))
        } catch (error) {
          // A full disk, say, ends the whole transaction. Alone, each body gets the outcome that it deserves.
          if (!this.#writer.inTransaction && group.length > 1) return await this.#commitOneByOne(group)
          if (!this.#writer.inTransaction) throw error
          this.#write.control('ROLLBACK TO one')
          settlements.push(() => reject(translated(error)))
        }
        this.#write.control('RELEASE one')
      }
      this.#write.control('COMMIT')
    } catch (error) {
      try {
        if (this.#writer.inTransaction) this.#write.control('ROLLBACK')
      } finally {
        for (const { reject } of group) reject(translated(error))
      }
      return
    }
    this.#onCommit(group.length)
    for (const settle of settlements) settle()
  }

  async #commitOneByOne(group: readonly Waiting[]): Promise<void> {
    for (const one of group) await this.#commit([one])
  }
}

class SqliteTransaction implements SqlWriter {
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

  async runEach(text: string, paramLists: readonly (readonly SqlValue[])[]): Promise<void> {
    this.#attempt(() => {
      const { statement, order } = this.#prepare(text)
      for (const params of paramLists) statement.run(...arrange(params, order))
    })
  }

  async insertEach(
    { into, common: commonTypes = [], types, onConflict = '' }: Insert,
    rows: readonly (readonly SqlValue[])[],
    common: readonly SqlValue[] = [],
  ): Promise<void> {
    this.#attempt(() => {
      const places = [...commonTypes, ...types].map(() => '?').join(', ')
      const { statement } = this.#prepare(`INSERT INTO ${into} VALUES (${places}) ${onConflict}`)
      for (const row of rows) statement.run(...common, ...row)
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

  /** Throws what the first statement threw that failed. */
  requireSuccess(): void {
    if (this.#failure) throw this.#failure
  }

  /** Does nothing after what failed: a full disk, say, has ended the transaction, and what follows would stand alone. */
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

/** A statement and, where its `$n` do not simply count up, the order in which parameters stand in it. */
interface Prepared {
  statement: Database.Statement
  order: readonly number[] | undefined
}

function prepare(connection: Connection, text: string): Prepared {
  const order: number[] = []
  const positional = text.replace(/\$(\d+)/g, (_, number: string) => {
    order.push(Number(number) - 1)
    // SQLite with STAT4 may plan anew for each value of a bare `?`, which takes longer than what is planned.
    return '+?'
  })
  const countsUp = order.every((param, index) => param === index)
  return { statement: connection.prepare(positional), order: countsUp ? undefined : order }
}

/** Parameters as they are bound; lists go as JSON. */
function arrange(params: readonly SqlParam[], order: readonly number[] | undefined): SqlValue[] {
  const values = params.map((param) => (typeof param === 'object' && param !== null ? JSON.stringify(param) : param))
  return order ? order.map((param) => values[param] as SqlValue) : values
}

function connect(file: string): Connection {
  try {
    const connection = new Database(file, { fileMustExist: true, timeout: BUSY_TIMEOUT_MS })
    connection.pragma('foreign_keys = ON')
    // The first statement that reads the file: here it shows whether it is a database at all.
    connection.prepare('SELECT count(*) FROM sqlite_schema').get()
    return connection
  } catch (error) {
    if (!existsSync(file)) throw new OpenError(`there is no database at ${file}`, { cause: error })
    throw openError(file, error)
  }
}

/**
 * Throws unless the database can be used; changes nothing in it. It must have no tables yet or our log, which every
 * level has; be sound (its pages, and the types of its values; a text that was changed in place is not noticed), where
 * it is small enough to look at every page; and let itself be written.
 */
function examine(connection: Connection, file: string): void {
  const tables = connection.prepare('SELECT name FROM sqlite_schema').pluck().all()
  if (tables.length > 0 && !tables.includes('sync_log')) throw new OpenError(`${file} is no Saldo database`)
  const pages = connection.pragma('page_count', { simple: true }) as number
  const pageBytes = connection.pragma('page_size', { simple: true }) as number
  if (pages * pageBytes <= CHECKED_BYTES) {
    const [finding] = connection.prepare('PRAGMA quick_check(1)').pluck().all()
    if (finding !== 'ok') throw damaged(file, finding)
  }
  // A file that is read-only lets a transaction begin, but nothing be changed.
  connection.exec('BEGIN IMMEDIATE; CREATE TABLE probe (id); ROLLBACK')
}

/** Makes what was written to a file durable. */
export function sync(file: string): void {
  const descriptor = openSync(file, 'r+')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** The SQLite errors after which the same work may succeed later. */
const passing = /^SQLITE_(BUSY|LOCKED|IOERR|CANTOPEN|READONLY|PROTOCOL|NOMEM|CORRUPT|NOTADB)/
const full = /^SQLITE_(FULL|IOERR_SHMSIZE)/

function translated(error: unknown): unknown {
  if (!(error instanceof Database.SqliteError)) return error
  // All references lead to users.
  if (error.code === 'SQLITE_CONSTRAINT_FOREIGNKEY') return new UnknownUserError()
  if (full.test(error.code)) return new UnavailableError('storage_full', { cause: error })
  if (passing.test(error.code)) return new UnavailableError('unavailable', { cause: error })
  return error
}

function openError(file: string, cause: unknown): OpenError {
  const code = cause instanceof Database.SqliteError ? cause.code : ''
  if (full.test(code)) return new OpenError(`there is no space left to open ${file}`, { cause })
  if (code.startsWith('SQLITE_NOTADB') || code.startsWith('SQLITE_CORRUPT')) {
    return damaged(file, cause)
  }
  if (code.startsWith('SQLITE_READONLY') || code.startsWith('SQLITE_CANTOPEN')) {
    return new OpenError(`${file} or its folder cannot be written; check owner and permissions`, { cause })
  }
  if (code.startsWith('SQLITE_BUSY')) return new OpenError(`${file} is locked by another process`, { cause })
  return new OpenError(`${file} cannot be opened: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
}

function damaged(file: string, cause: unknown): OpenError {
  return new OpenError(`${file} is damaged or no SQLite database; restore it from a backup`, { cause })
}

/** A lock between processes. The operating system gives it back when its process ends, however it ends. */
export interface Lock {
  release(): void
}

/** Takes the lock of a file made for that purpose; `undefined` where another process holds it. */
export function holdLock(file: string): Lock | undefined {
  let connection: Connection
  try {
    connection = new Database(file, { timeout: LOCK_TIMEOUT_MS })
  } catch (error) {
    throw openError(file, error)
  }
  try {
    // Nothing is ever written, so a full disk is no hindrance.
    connection.pragma('journal_mode = MEMORY')
    // A file that is read-only lets a transaction begin, but locks nothing.
    connection.exec('BEGIN EXCLUSIVE; CREATE TABLE held (id)')
  } catch (error) {
    connection.close()
    if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')) return undefined
    throw openError(file, error)
  }
  return { release: () => connection.close() }
}
