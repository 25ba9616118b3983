import { Dexie, type Transaction } from 'dexie'
import { StoreError, type StoreTrouble } from '../errors.ts'
import { Listeners } from '../listeners.ts'
import type { Changed, LocalStore, OpenStore, Owner, ReadTables, Tables } from '../store.ts'
import { type Seen, tablesOf } from './tables.ts'
import { defineVersions } from './versions.ts'

/** What else to use than the browser's. */
export interface DexieStoreOptions {
  indexedDB?: Pick<IDBFactory, 'open' | 'deleteDatabase'>
  IDBKeyRange?: typeof globalThis.IDBKeyRange
}

/**
 * A store in IndexedDB, a database for each user. It is there at once; what is asked of it waits until the database is
 * open and upgraded (R6.3). Where it cannot be used, `run` and `read` throw a `StoreError` that says why: `unavailable`,
 * `blocked`, `outdated`, `gone`, `full`. Listeners hear of the transactions of other tabs too.
 */
export function dexieStore(options: DexieStoreOptions = {}): OpenStore {
  return (owner) => new DexieStore(owner, options)
}

class DexieStore implements LocalStore {
  readonly #database: Dexie
  readonly #channel: BroadcastChannel
  readonly #listeners = new Listeners<[ReadonlySet<Changed>]>()
  /** Settled once it can be said whether the database can be used. */
  readonly #decided = Promise.withResolvers<void>()
  #isOpen = false
  #isClosing = false
  #trouble: StoreError | undefined
  /** Why nothing could be written of late. */
  #full: StoreError | undefined
  #running: Promise<void> = Promise.resolve()

  constructor(owner: Owner, given: DexieStoreOptions) {
    const name = `saldo-${owner.user}`
    this.#database = new Dexie(name, {
      indexedDB: onlyThisVersion(() => given.indexedDB ?? globalThis.indexedDB),
      IDBKeyRange: given.IDBKeyRange ?? globalThis.IDBKeyRange,
      // Otherwise Dexie makes a database anew that the browser deleted.
      autoOpen: false,
      cache: 'disabled',
      chromeTransactionDurability: 'strict',
    })
    defineVersions(this.#database, owner)
    this.#channel = new BroadcastChannel(name)
    this.#channel.onmessage = ({ data }) => this.#listeners.call(new Set(data as Changed[]))
    void this.#open()
  }

  run<T>(body: (tables: Tables) => Promise<T>): Promise<T> {
    return this.#next('rw', body)
  }

  read<T>(body: (tables: ReadTables) => Promise<T>): Promise<T> {
    return this.#next('r', body)
  }

  subscribe(listener: (changed: ReadonlySet<Changed>) => void): () => void {
    return this.#listeners.add(listener)
  }

  trouble(): StoreError | undefined {
    return this.#isClosing ? new StoreError('closed') : (this.#trouble ?? this.#full)
  }

  async close(): Promise<void> {
    this.#isClosing = true
    await this.#decided.promise
    await this.#running
    this.#isOpen = false
    this.#database.close()
    this.#channel.close()
  }

  async erase(): Promise<void> {
    if (this.#isClosing) throw new StoreError('closed')
    await this.close()
    try {
      // It waits for the other tabs, which close themselves.
      await this.#database.delete()
    } catch (error) {
      throw openErrorOf(error)
    }
  }

  async #open(): Promise<void> {
    // `false` keeps Dexie from doing what it does otherwise: to close without saying why, and to write to the console.
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
      this.#decided.resolve()
      if (this.#trouble?.trouble === 'blocked') this.#become(undefined)
    } catch (error) {
      this.#fail(openErrorOf(error))
    }
  }

  #fail(error: StoreError): void {
    if (this.#trouble && this.#trouble.trouble !== 'blocked') return
    this.#decided.resolve()
    this.#become(error)
  }

  #become(trouble: StoreError | undefined): void {
    this.#trouble = trouble
    if (!this.#isClosing) this.#listeners.call(new Set())
  }

  #becomeFull(full: StoreError | undefined): void {
    if (full?.trouble === this.#full?.trouble) return
    this.#full = full
    if (!this.#isClosing) this.#listeners.call(new Set())
  }

  async #next<T>(mode: 'r' | 'rw', body: (tables: Tables) => Promise<T>): Promise<T> {
    if (this.#isClosing) throw new StoreError('closed')
    const done = this.#decided.promise.then(() => this.#transact(mode, body))
    const before = this.#running
    this.#running = done.then(
      () => before,
      () => before,
    )
    return done
  }

  async #transact<T>(mode: 'r' | 'rw', body: (tables: Tables) => Promise<T>): Promise<T> {
    if (this.#trouble) throw this.#trouble
    const seen: Seen = { changed: new Set(), failed: undefined }
    let used: Transaction | undefined
    let value: T
    try {
      value = await this.#database.transaction(mode, this.#database.tables, async (transaction) => {
        used = transaction
        const answer = await body(tablesOf(transaction, seen))
        // A body may have caught it; a transaction is kept whole or not at all.
        if (seen.failed) throw seen.failed.error
        return answer
      })
    } catch (error) {
      if (!isOfDatabase(error)) throw error
      // A request of a transaction that the browser ended does not say why; the transaction does.
      const told = this.#trouble ?? new StoreError(troubleOf(used?.idbtrans?.error ?? error), { cause: error })
      if (told.trouble === 'full') this.#becomeFull(told)
      throw told
    }
    if (seen.changed.size > 0) {
      this.#becomeFull(undefined)
      this.#listeners.call(seen.changed)
      this.#channel.postMessage([...seen.changed])
    }
    return value
  }
}

/**
 * IndexedDB as Dexie is to see it. Where a newer program made the database, Dexie would open it at whatever version it
 * has, and change its tables.
 */
function onlyThisVersion(factory: () => Pick<IDBFactory, 'open' | 'deleteDatabase'> | undefined) {
  const there = () => {
    const given = factory()
    if (!given) throw new StoreError('unavailable')
    return given
  }
  return {
    open(name: string, version?: number): IDBOpenDBRequest {
      if (version === undefined) throw new StoreError('outdated')
      return there().open(name, version)
    },
    deleteDatabase: (name: string) => there().deleteDatabase(name),
    // Dexie asks for it to tell whether it has to keep a list of its own.
    databases: () => Promise.resolve([]),
  }
}

/** Errors of opening by which browsers say that there is no IndexedDB for this page, as in private windows. */
const unavailable = new Set([
  'MissingAPIError',
  'SecurityError',
  'InvalidStateError',
  'NotAllowedError',
  'UnknownError',
])

function openErrorOf(error: unknown): StoreError {
  if (error instanceof StoreError) return error
  const trouble = unavailable.has((error as Error).name) ? 'unavailable' : troubleOf(error)
  return new StoreError(trouble, { cause: error })
}

function isOfDatabase(error: unknown): boolean {
  return error instanceof Dexie.DexieError || error instanceof DOMException
}

/** Dexie wraps what the browser says: in `inner`, or, of many rows, in `failures`. */
function troubleOf(error: unknown): StoreTrouble {
  const { name, inner, failures = [] } = error as { name?: string; inner?: unknown; failures?: unknown[] }
  if (name === 'QuotaExceededError') return 'full'
  return [inner, ...failures].some((one) => one && troubleOf(one) === 'full') ? 'full' : 'failed'
}
