import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { ClosedError, OpenError } from '../../errors.ts'
import { Gate } from '../../gate.ts'
import type { MigratableDriver } from '../migrate.ts'
import type { SqlParam, SqlReader, SqlWriter } from '../sql.ts'
import {
  BUSY_TIMEOUT_MS,
  examine,
  isBusyError,
  openConnection,
  openError,
  type SqliteConnection,
  translated,
  WRITER_CACHE_KIB,
} from './connection.ts'
import { syncFile } from './files.ts'
import { SqliteTransaction, sqliteDialect } from './transaction.ts'

/** The most time that `close` waits for other processes before it empties the write-ahead file, in milliseconds. */
const CHECKPOINT_TIMEOUT_MS = 1_000
/** The connections for reads: so many users can read at once. */
const READERS = 4
/** The time between two looks whether another process still writes, in milliseconds. */
const BUSY_PAUSE_MS = 5
/** The most writes that share one commit. */
const MAX_GROUP = 64

interface Waiting {
  body: (sql: SqlWriter) => Promise<unknown>
  resolve: (value: unknown) => void
  reject: (error: unknown) => void
}

/**
 * The engine over SQLite: a file in WAL mode with `synchronous=FULL`, one connection that writes and some that read.
 * Writes that wait at the same time share one commit, because a response may leave only after an fsync, and SQLite has
 * one writer. Nothing above the driver knows of shared commits.
 */
export class SqliteDriver implements MigratableDriver {
  readonly dialect = sqliteDialect
  readonly #file: string
  readonly #onCommit: (writes: number) => void
  readonly #writer: SqliteConnection
  readonly #readers: readonly SqliteConnection[]
  readonly #write: SqliteTransaction
  readonly #turns = new Gate(1)
  readonly #places = new Gate(READERS)
  readonly #running = new Set<Promise<unknown>>()
  /** The connections that nobody reads from. */
  readonly #idle: SqliteTransaction[]
  #waiting: Waiting[] = []
  #flushing: Promise<void> | undefined
  #isClosed = false

  static createEmpty(file: string): void {
    try {
      new Database(file).exec('VACUUM').close()
    } catch (error) {
      throw openError(file, error)
    }
  }

  /** Opens a file that is empty or Saldo's. Throws `OpenError`. `onCommit` gets the number of writes of a commit. */
  constructor(file: string, onCommit: (writes: number) => void = () => {}) {
    this.#file = file
    this.#onCommit = onCommit
    this.#writer = openConnection(file)
    try {
      examine(this.#writer, file)
      this.#writer.pragma(`cache_size = -${WRITER_CACHE_KIB}`)
      this.#writer.pragma('synchronous = FULL')
      if (this.#writer.pragma('journal_mode = WAL', { simple: true }) !== 'wal') {
        throw new OpenError(`${file} cannot be put into write-ahead mode`)
      }
      this.#readers = Array.from({ length: READERS }, () => openConnection(file))
    } catch (error) {
      this.#writer.close()
      throw error instanceof OpenError ? error : openError(file, error)
    }
    for (const reader of this.#readers) reader.pragma('query_only = ON')
    // Waiting in SQLite for another process would keep the thread: `#beginWriting` waits instead.
    this.#writer.pragma('busy_timeout = 0')
    // Only reads let others go first: a write would hold the lock of the file meanwhile.
    this.#write = new SqliteTransaction(this.#writer)
    this.#idle = this.#readers.map((reader) => new SqliteTransaction(reader))
  }

  async all<Row>(text: string, params?: readonly SqlParam[]): Promise<Row[]> {
    if (this.#isClosed) throw new ClosedError()
    // A statement is a transaction by itself.
    return this.#track(this.#places.run('', () => this.#useIdle((reader) => reader.all<Row>(text, params))))
  }

  run(text: string, params?: readonly SqlParam[]): Promise<number> {
    return this.write((sql) => sql.run(text, params))
  }

  async read<T>(body: (sql: SqlReader) => Promise<T>, turn?: number): Promise<T> {
    if (this.#isClosed) throw new ClosedError()
    const run = () => this.#places.run('', () => this.#useIdle((reader) => this.#inSnapshot(reader, body)))
    return this.#track(turn === undefined ? run() : this.#turns.run(turn, run))
  }

  async write<T>(body: (sql: SqlWriter) => Promise<T>): Promise<T> {
    if (this.#isClosed) throw new ClosedError()
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ body, resolve: resolve as (value: unknown) => void, reject })
      // Waits for the next turn of the event loop, so that all requests that have arrived share the commit.
      this.#flushing ??= new Promise<void>((resolve) => setImmediate(resolve)).then(() => this.#flush())
    })
  }

  userVersion(): Promise<number> {
    return this.read((sql) => this.lockUserVersion(sql))
  }

  /** Reads the level; a write has locked the whole file. */
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
      syncFile(unfinished)
      renameSync(unfinished, copy)
    } finally {
      // A full disk leaves an unfinished file.
      rmSync(unfinished, { force: true })
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#flushing
    await Promise.all(this.#running)
    for (const reader of this.#readers) reader.close()
    try {
      this.#writer.pragma(`busy_timeout = ${CHECKPOINT_TIMEOUT_MS}`)
      this.#writer.pragma('wal_checkpoint(TRUNCATE)')
    } catch (error) {
      // On a full disk, for example. Commits stay in the write-ahead file until the database is opened again.
      if (!(error instanceof Database.SqliteError)) throw error
    } finally {
      this.#writer.close()
    }
  }

  /** Keeps `close` waiting for a read. */
  #track<T>(read: Promise<T>): Promise<T> {
    const end: Promise<unknown> = read.catch(() => undefined).then(() => this.#running.delete(end))
    this.#running.add(end)
    return read
  }

  /** Reads from a connection that nobody else reads from; there is one for each place. */
  async #useIdle<T>(work: (reader: SqliteTransaction) => Promise<T>): Promise<T> {
    const reader = this.#idle.pop() as SqliteTransaction
    try {
      reader.begin()
      return await work(reader)
    } catch (error) {
      throw translated(error)
    } finally {
      this.#idle.push(reader)
    }
  }

  async #inSnapshot<T>(reader: SqliteTransaction, body: (sql: SqlReader) => Promise<T>): Promise<T> {
    reader.control('BEGIN')
    try {
      return await body(reader)
    } finally {
      reader.endRead()
    }
  }

  async #flush(): Promise<void> {
    while (this.#waiting.length > 0) await this.#commit(this.#waiting.splice(0, MAX_GROUP))
    this.#flushing = undefined
  }

  /**
   * Runs writes in one transaction, and settles them after the commit. If one fails, it runs again alone, and the
   * others together without it.
   */
  async #commit(group: readonly Waiting[]): Promise<void> {
    const values: unknown[] = []
    try {
      await this.#beginWriting()
      for (const waiting of group) {
        const run = await this.#run(waiting)
        if (run.outcome === 'done') values.push(run.value)
        else if (group.length === 1) throw run.error
        else {
          this.#rollBack()
          await this.#commit([waiting])
          return await this.#commit(group.filter((other) => other !== waiting))
        }
      }
      this.#write.control('COMMIT')
    } catch (error) {
      // Not run again, even if a retry could work: the outcome of a failed COMMIT is unknown (D4.9).
      for (const { reject } of group) reject(translated(error))
      this.#rollBack()
      return
    }
    this.#onCommit(group.length)
    for (const [index, { resolve }] of group.entries()) resolve(values[index])
  }

  /** Runs a write in the transaction that has begun. */
  async #run({ body }: Waiting): Promise<{ outcome: 'done'; value: unknown } | { outcome: 'failed'; error: unknown }> {
    try {
      const value = await body(this.#write)
      this.#write.requireSuccess()
      return { outcome: 'done', value }
    } catch (error) {
      return { outcome: 'failed', error }
    }
  }

  #rollBack(): void {
    // A full disk, for example, ends the transaction by itself.
    if (this.#writer.inTransaction) this.#write.control('ROLLBACK')
  }

  /** Begins a transaction that writes, once no other process does. */
  async #beginWriting(): Promise<void> {
    const endMs = performance.now() + BUSY_TIMEOUT_MS
    while (!this.#hasBegun(performance.now() < endMs)) await setTimeout(BUSY_PAUSE_MS)
  }

  /** Begins a transaction that writes. Returns false if another process writes, and throws if that may not be. */
  #hasBegun(mayBeBusy: boolean): boolean {
    try {
      this.#write.begin()
      this.#write.control('BEGIN IMMEDIATE')
      return true
    } catch (error) {
      if (mayBeBusy && isBusyError(error)) return false
      throw error
    }
  }
}
