import { fieldOf, itemsOf, type UserNumber } from '@saldo/core'
/** The local store in browsers, in IndexedDB. @module */
import { Dexie, type Transaction } from 'dexie'
import { StoreError, type StoreErrorCode } from '../errors.ts'
import { Listeners } from '../listeners.ts'
import type { Changed, LocalStore, OpenStore, Owner, ReadTables, Tables } from '../store.ts'
import { countChanges, type Effects, tablesOf } from './tables.ts'
import { defineVersions } from './versions.ts'

/** Replacements of the browser's IndexedDB. */
interface DexieStoreOptions {
  indexedDB?: Pick<IDBFactory, 'open' | 'deleteDatabase'>
  IDBKeyRange?: typeof globalThis.IDBKeyRange
}

/**
 * Returns a store in IndexedDB, with a database for each user. Transactions wait until the database is open and
 * upgraded (R6.3). They throw a `StoreError` if it cannot be used: `unavailable`, `blocked`, `outdated`, `gone`,
 * `full`.
 */
export function dexieStore(options: DexieStoreOptions = {}): OpenStore {
  return (owner) => new DexieStore(owner, options)
}

/** True if a browser has the database of a user. Opening the store makes one where there is none. */
export async function hasDexieDatabase(
  user: UserNumber,
  indexedDB: Pick<IDBFactory, 'databases'> = globalThis.indexedDB,
): Promise<boolean> {
  return (await indexedDB.databases()).some(({ name }) => name === databaseName(user))
}

function databaseName(user: UserNumber): string {
  return `saldo-${user}`
}

class DexieStore implements LocalStore {
  readonly #database: Dexie
  readonly #channel: BroadcastChannel
  readonly #listeners = new Listeners<[ReadonlySet<Changed>]>()
  readonly #errorListeners = new Listeners()
  /** Resolves when the database is open or cannot be opened. */
  readonly #opened = Promise.withResolvers<void>()
  #isOpen = false
  #isClosing = false
  #error: StoreError | undefined
  /** Set while the last write failed because the disk or the quota is full. */
  #full: StoreError | undefined
  #running: Promise<unknown> = Promise.resolve()

  constructor(owner: Owner, given: DexieStoreOptions) {
    const name = databaseName(owner.user)
    this.#database = new Dexie(name, {
      indexedDB: onlyThisVersion(() => given.indexedDB ?? globalThis.indexedDB),
      IDBKeyRange: given.IDBKeyRange ?? globalThis.IDBKeyRange,
      // Otherwise Dexie recreates a database that the browser deleted.
      autoOpen: false,
      cache: 'disabled',
      chromeTransactionDurability: 'strict',
    })
    defineVersions(this.#database, owner)
    this.#channel = new BroadcastChannel(name)
    this.#channel.onmessage = ({ data }) => this.#listeners.call(new Set(data as Changed[]))
    void this.#open()
  }

  write<T>(body: (tables: Tables) => Promise<T>): Promise<T> {
    return this.#enqueue('rw', body)
  }

  read<T>(body: (tables: ReadTables) => Promise<T>): Promise<T> {
    return this.#enqueue('r', body)
  }

  subscribe(listener: (changed: ReadonlySet<Changed>) => void): () => void {
    return this.#listeners.add(listener)
  }

  subscribeToErrors(listener: () => void): () => void {
    return this.#errorListeners.add(listener)
  }

  error(): StoreError | undefined {
    return this.#isClosing ? new StoreError('closed') : (this.#error ?? this.#full)
  }

  async close(): Promise<void> {
    this.#isClosing = true
    await this.#opened.promise
    await this.#running
    this.#isOpen = false
    this.#database.close()
    this.#channel.close()
  }

  async erase(): Promise<void> {
    if (this.#isClosing) throw new StoreError('closed')
    await this.close()
    try {
      // This waits for the other tabs, which close themselves.
      await this.#database.delete()
    } catch (error) {
      throw openErrorOf(error)
    }
  }

  async #open(): Promise<void> {
    // `false` keeps Dexie from its defaults: closing without a reason, and writing to the console.
    this.#database.on('blocked', () => {
      this.#fail(new StoreError('blocked'))
      return false
    })
    this.#database.on('versionchange', ({ newVersion }) => {
      this.#isOpen = false
      this.#database.close()
      this.#fail(new StoreError(newVersion === null ? 'gone' : 'outdated'))
      return false
    })
    this.#database.on('close', () => {
      if (this.#isOpen) this.#fail(new StoreError('gone'))
    })
    try {
      await this.#database.open()
      this.#isOpen = true
      this.#opened.resolve()
      if (this.#error?.code === 'blocked') this.#setError(undefined)
    } catch (error) {
      this.#fail(openErrorOf(error))
    }
  }

  #fail(error: StoreError): void {
    if (this.#error && this.#error.code !== 'blocked') return
    this.#opened.resolve()
    this.#setError(error)
  }

  #setError(error: StoreError | undefined): void {
    this.#error = error
    if (!this.#isClosing) this.#errorListeners.call()
  }

  #setFull(full: StoreError | undefined): void {
    if (full?.code === this.#full?.code) return
    this.#full = full
    if (!this.#isClosing) this.#errorListeners.call()
  }

  async #enqueue<T>(mode: 'r' | 'rw', body: (tables: Tables) => Promise<T>): Promise<T> {
    if (this.#isClosing) throw new StoreError('closed')
    const done = this.#opened.promise.then(() => this.#transact(mode, body))
    this.#running = Promise.allSettled([this.#running, done])
    return done
  }

  async #transact<T>(mode: 'r' | 'rw', body: (tables: Tables) => Promise<T>): Promise<T> {
    if (this.#error) throw this.#error
    const effects: Effects = { changed: new Set(), failed: undefined }
    let used: Transaction | undefined
    let value: T
    try {
      value = await this.#database.transaction(mode, this.#database.tables, async (transaction) => {
        used = transaction
        const result = await body(tablesOf(transaction, effects))
        // The body may have caught the error, but a transaction is kept as a whole or not at all.
        if (effects.failed) throw effects.failed.error
        if (effects.changed.size > 0) await countChanges(transaction, effects.changed)
        return result
      })
    } catch (error) {
      if (!isDatabaseError(error)) throw error
      // If the browser aborted the transaction, only the transaction itself has the reason.
      const reason = this.#error ?? new StoreError(codeOf(used?.idbtrans?.error ?? error), { cause: error })
      if (reason.code === 'full') this.#setFull(reason)
      throw reason
    }
    if (effects.changed.size > 0) {
      this.#setFull(undefined)
      this.#listeners.call(effects.changed)
      this.#channel.postMessage([...effects.changed])
    }
    return value
  }
}

/** Returns IndexedDB for Dexie, which would otherwise open and change a database that a newer program upgraded. */
function onlyThisVersion(factory: () => Pick<IDBFactory, 'open' | 'deleteDatabase'> | undefined) {
  const available = () => {
    const indexedDB = factory()
    if (!indexedDB) throw new StoreError('unavailable')
    return indexedDB
  }
  return {
    open(name: string, version?: number): IDBOpenDBRequest {
      if (version === undefined) throw new StoreError('outdated')
      return available().open(name, version)
    },
    deleteDatabase: (name: string) => available().deleteDatabase(name),
    // With this, Dexie keeps no list of databases of its own.
    databases: () => Promise.resolve([]),
  }
}

/** The errors of browsers that have no IndexedDB for this page, as in private windows. */
const unavailable = new Set([
  'MissingAPIError',
  'SecurityError',
  'InvalidStateError',
  'NotAllowedError',
  'UnknownError',
])

function openErrorOf(error: unknown): StoreError {
  if (error instanceof StoreError) return error
  const code = unavailable.has(String(fieldOf(error, 'name'))) ? 'unavailable' : codeOf(error)
  return new StoreError(code, { cause: error })
}

function isDatabaseError(error: unknown): boolean {
  return error instanceof Dexie.DexieError || error instanceof DOMException
}

/** Returns the code of an error. Dexie wraps the browser's error in `inner` or, for many rows, in `failures`. */
function codeOf(error: unknown): StoreErrorCode {
  if (fieldOf(error, 'name') === 'QuotaExceededError') return 'full'
  return [fieldOf(error, 'inner'), ...itemsOf(fieldOf(error, 'failures'))].some((one) => one && codeOf(one) === 'full')
    ? 'full'
    : 'failed'
}
