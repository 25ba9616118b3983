/** The local store in Node, in an SQLite file. @module */
import { rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fieldOf } from '@saldo/core'
import { StoreError, type StoreErrorCode } from '../errors.ts'
import { Listeners } from '../listeners.ts'
import { newMeta } from '../rows.ts'
import type { Changed, LocalStore, OpenStore, Owner, ReadTables, Tables } from '../store.ts'
import { createFile, type FileLock, lockFile } from './file-lock.ts'
import { countChanges, schema, type Transaction, tablesOf } from './sqlite-tables.ts'

const SCHEMA_VERSION = 1

/**
 * Returns a store for Node in one SQLite file, which one opening has at a time: the lock ends with the process.
 * Opening throws a `StoreError`: `inUse`, `foreign`, `damaged`, `outdated`, `full`.
 */
export function sqliteStore(file: string): OpenStore {
  const path = resolve(file)
  return (owner) => new SqliteStore(path, owner)
}

/**
 * Deletes the file of a store, whatever its content: the way out of a damaged one. Throws a `StoreError`: `inUse`,
 * `failed`.
 */
export function eraseSqliteStore(file: string): void {
  const path = resolve(file)
  let lock: FileLock | undefined
  try {
    lock = lockFile(path)
    removeFiles(path)
  } catch (error) {
    throw toStoreError(error)
  } finally {
    lock?.release()
  }
}

class SqliteStore implements LocalStore {
  readonly #file: string
  readonly #lock: FileLock
  readonly #database: DatabaseSync
  readonly #listeners = new Listeners<[ReadonlySet<Changed>]>()
  readonly #errorListeners = new Listeners()
  #isClosed = false
  /** Set while the last write failed because the disk is full. */
  #full: StoreError | undefined
  /** The last transaction that was asked for. */
  #last: Promise<unknown> = Promise.resolve()

  constructor(file: string, owner: Owner) {
    this.#file = file
    const { lock, database } = openLocked(file, owner)
    this.#lock = lock
    this.#database = database
  }

  async write<T>(body: (tables: Tables) => Promise<T>): Promise<T> {
    try {
      const { value, changed } = await this.#enqueue('write', body)
      if (changed.size > 0) {
        this.#setFull(undefined)
        this.#listeners.call(changed)
      }
      return value
    } catch (error) {
      if (error instanceof StoreError && error.code === 'full') this.#setFull(error)
      throw error
    }
  }

  async read<T>(body: (tables: ReadTables) => Promise<T>): Promise<T> {
    return (await this.#enqueue('read', body)).value
  }

  subscribe(listener: (changed: ReadonlySet<Changed>) => void): () => void {
    return this.#listeners.add(listener)
  }

  subscribeToErrors(listener: () => void): () => void {
    return this.#errorListeners.add(listener)
  }

  error(): StoreError | undefined {
    return this.#isClosed ? new StoreError('closed') : this.#full
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    await this.#last
    this.#closeAnd(() => undefined)
  }

  async erase(): Promise<void> {
    if (this.#isClosed) throw new StoreError('closed')
    this.#isClosed = true
    await this.#last
    this.#closeAnd(() => removeFiles(this.#file))
  }

  /** Closes the file and does some work before another process can open it. */
  #closeAnd(work: () => void): void {
    try {
      this.#database.close()
      work()
    } catch (error) {
      throw toStoreError(error)
    } finally {
      this.#lock.release()
    }
  }

  #setFull(full: StoreError | undefined): void {
    if (full?.code === this.#full?.code) return
    this.#full = full
    this.#errorListeners.call()
  }

  #enqueue<T>(
    mode: 'read' | 'write',
    body: (tables: Tables) => Promise<T>,
  ): Promise<{ value: T; changed: ReadonlySet<Changed> }> {
    if (this.#isClosed) throw new StoreError('closed')
    const done = this.#last.then(() => this.#transact(mode, body))
    this.#last = done.catch(() => undefined)
    return done
  }

  async #transact<T>(
    mode: 'read' | 'write',
    body: (tables: Tables) => Promise<T>,
  ): Promise<{ value: T; changed: ReadonlySet<Changed> }> {
    const database = this.#database
    const changed = new Set<Changed>()
    let hasEnded = false
    let failure: StoreError | undefined
    const attempt = <R>(work: (database: DatabaseSync) => R): R => {
      if (hasEnded) throw new StoreError('closed', { detail: 'The transaction has ended.' })
      try {
        return work(database)
      } catch (error) {
        failure = toStoreError(error)
        throw failure
      }
    }
    try {
      if (mode === 'write') attempt(() => database.exec('BEGIN'))
      const transaction: Transaction = { changed, attempt }
      const value = await body(tablesOf(transaction))
      // The body may have caught the error, but a transaction is kept as a whole or not at all.
      if (failure) throw failure
      countChanges(transaction)
      if (mode === 'write') attempt(() => database.exec('COMMIT'))
      return { value, changed }
    } finally {
      hasEnded = true
      if (database.isTransaction) database.exec('ROLLBACK')
    }
  }
}

function removeFiles(file: string): void {
  for (const suffix of ['', '-wal', '-journal']) rmSync(file + suffix, { force: true })
}

/** Locks and opens the file; creates it if it does not exist. Throws a `StoreError`. */
function openLocked(file: string, owner: Owner): { lock: FileLock; database: DatabaseSync } {
  let lock: FileLock | undefined
  let database: DatabaseSync | undefined
  try {
    lock = lockFile(file)
    createFile(file)
    database = new DatabaseSync(file)
    prepare(database, owner)
    return { lock, database }
  } catch (error) {
    database?.close()
    lock?.release()
    throw toStoreError(error)
  }
}

function prepare(database: DatabaseSync, { user, random }: Owner): void {
  // An exclusive lock needs no shared memory. A write-ahead log takes one flush for a commit, and with FULL a commit is
  // on the disk before it counts.
  database.exec(
    'PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; BEGIN EXCLUSIVE',
  )
  const version = Number(database.prepare('PRAGMA user_version').get()?.user_version)
  const names = new Set(
    database
      .prepare('SELECT name FROM sqlite_schema')
      .all()
      .map(({ name }) => name),
  )
  if (version === 0 && names.size === 0) {
    database.exec(`${schema}; PRAGMA user_version = ${SCHEMA_VERSION}`)
    const meta = database.prepare('INSERT INTO meta (id, user, value) VALUES (1, ?, ?)')
    meta.run(user, JSON.stringify(newMeta(random)))
  } else if (version > SCHEMA_VERSION && names.has('meta')) throw new StoreError('outdated')
  else if (version !== SCHEMA_VERSION) throw new StoreError('damaged')
  const owner = database.prepare('SELECT user FROM meta').get()
  if (owner?.user !== user) throw new StoreError('foreign')
  database.exec('COMMIT')
}

/** The primary result codes of SQLite that have a code of their own here. */
const codes: Readonly<Record<number, StoreErrorCode>> = {
  5: 'inUse', // SQLITE_BUSY
  11: 'damaged', // SQLITE_CORRUPT
  13: 'full', // SQLITE_FULL
  26: 'damaged', // SQLITE_NOTADB
}

function toStoreError(error: unknown): StoreError {
  if (error instanceof StoreError) return error
  const code = fieldOf(error, 'code')
  const isFull = code === 'ENOSPC' || code === 'EDQUOT'
  return new StoreError(isFull ? 'full' : (codes[Number(fieldOf(error, 'errcode') ?? 0) & 0xff] ?? 'failed'), {
    cause: error,
  })
}
