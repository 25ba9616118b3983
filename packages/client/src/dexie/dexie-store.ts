import type { JsonObject, Random } from '@saldo/core'
import { Dexie, type Transaction } from 'dexie'
import type { Held } from '../held.ts'
import type { Pending } from '../pending.ts'
import { StoreError, type StoreTrouble } from '../store/errors.ts'
import { Listeners } from '../store/listeners.ts'
import {
  editKey,
  type LocalStore,
  type Meta,
  type Overridden,
  type Refused,
  recordKey,
  type Table,
  type Tables,
} from '../store/store.ts'
import { heldOf, type OldOutboxRow, oldRecordTables, pendingOf, withSettingsUuids } from './old-versions.ts'

export interface DexieStoreOptions {
  /** The service's number of the user: each has a database of their own. */
  user: number
  random: Random
  /** Is told when the store gets into trouble by itself: a tab that is in the way, a newer program, the browser. */
  onTrouble?: (error: StoreError) => void
  /** What else to use than the browser's. */
  indexedDB?: Pick<IDBFactory, 'open'>
  IDBKeyRange?: typeof globalThis.IDBKeyRange
}

/**
 * A store in IndexedDB. It is there at once; what is asked of it waits until the database is open and upgraded (R6.3).
 * Where it cannot be used, `run` throws a `StoreError` that says why: `unavailable`, `blocked`, `outdated`, `gone`,
 * `full`. Listeners hear of the transactions of other tabs too.
 */
export function dexieStore(options: DexieStoreOptions): LocalStore {
  return new DexieStore(options)
}

class DexieStore implements LocalStore {
  readonly #database: Dexie
  readonly #channel: BroadcastChannel
  readonly #listeners = new Listeners()
  readonly #onTrouble: (error: StoreError) => void
  /** Settled once it can be said whether the database can be used. */
  readonly #decided = Promise.withResolvers<void>()
  #isOpen = false
  #isClosing = false
  #trouble: StoreError | undefined
  #running: Promise<void> = Promise.resolve()

  constructor({ user, random, onTrouble = () => {}, ...given }: DexieStoreOptions) {
    const name = `saldo-${user}`
    this.#onTrouble = onTrouble
    this.#database = new Dexie(name, {
      indexedDB: onlyThisVersion(() => given.indexedDB ?? globalThis.indexedDB),
      IDBKeyRange: given.IDBKeyRange ?? globalThis.IDBKeyRange,
      // Otherwise Dexie makes a database anew that the browser deleted.
      autoOpen: false,
      cache: 'disabled',
      chromeTransactionDurability: 'strict',
    })
    defineVersions(this.#database, user, random)
    this.#channel = new BroadcastChannel(name)
    this.#channel.onmessage = () => this.#listeners.call()
    void this.#open()
  }

  async run<T>(body: (tables: Tables) => Promise<T>): Promise<T> {
    if (this.#isClosing) throw new StoreError('closed')
    const run = this.#decided.promise.then(() => this.#transact(body))
    const before = this.#running
    this.#running = run.then(
      () => before,
      () => before,
    )
    return run
  }

  subscribe(listener: () => void): () => void {
    return this.#listeners.add(listener)
  }

  async close(): Promise<void> {
    this.#isClosing = true
    await this.#decided.promise
    await this.#running
    this.#isOpen = false
    this.#database.close()
    this.#channel.close()
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
      if (this.#trouble?.trouble !== 'blocked') return
      this.#trouble = undefined
      this.#listeners.call()
    } catch (error) {
      this.#fail(openErrorOf(error))
    }
  }

  #fail(error: StoreError): void {
    if (this.#isClosing || (this.#trouble && this.#trouble.trouble !== 'blocked')) return
    this.#trouble = error
    this.#decided.resolve()
    this.#onTrouble(error)
  }

  async #transact<T>(body: (tables: Tables) => Promise<T>): Promise<T> {
    if (this.#trouble) throw this.#trouble
    const seen: Seen = { wrote: false, failed: undefined, transaction: undefined }
    let value: T
    try {
      value = await this.#database.transaction('rw', this.#database.tables, async (transaction) => {
        seen.transaction = transaction
        const answer = await body(tablesOf(transaction, seen))
        // A body may have caught it; a transaction is kept whole or not at all.
        if (seen.failed) throw seen.failed.error
        return answer
      })
    } catch (error) {
      if (!isOfDatabase(error)) throw error
      // A request of a transaction that the browser ended does not say why; the transaction does.
      throw this.#trouble ?? new StoreError(troubleOf(seen.transaction?.idbtrans?.error ?? error), { cause: error })
    }
    if (seen.wrote) {
      this.#listeners.call()
      this.#channel.postMessage(null)
    }
    return value
  }
}

/** What happened in a transaction. */
interface Seen {
  wrote: boolean
  failed: { error: unknown } | undefined
  transaction: Transaction | undefined
}

const META_KEY = 'device'

/** A row of `held` as it is stored: an index leaves out what is no key, so it lists the unconfirmed alone. */
type StoredHeld = Omit<Held, 'unconfirmed'> & { unconfirmed: 1 | false }

function stored(row: Held): StoredHeld {
  return { ...row, unconfirmed: row.unconfirmed ? 1 : false }
}

function read(row: StoredHeld): Held {
  return { ...row, unconfirmed: row.unconfirmed === 1 }
}

function tablesOf(transaction: Transaction, seen: Seen): Tables {
  const asked = <T>(answer: PromiseLike<T>): Promise<T> =>
    Dexie.Promise.resolve(answer).catch((error: unknown) => {
      seen.failed ??= { error }
      throw error
    })
  const write = (answer: PromiseLike<unknown>): Promise<void> => {
    seen.wrote = true
    return asked(answer.then(() => undefined))
  }
  const nothing = (): Promise<void> => Dexie.Promise.resolve()

  const table = <Row>(name: string, keyOf: (row: Row) => string): Table<Row> => {
    const rows = transaction.table<Row, string>(name)
    return {
      get: (key) => asked(rows.get(key)),
      all: () => asked(rows.toArray()),
      put: (put) => (put.length === 0 ? nothing() : write(rows.bulkPut(put, put.map(keyOf)))),
      delete: (keys) => (keys.length === 0 ? nothing() : write(rows.bulkDelete([...keys]))),
    }
  }

  const held = table<StoredHeld>('held', recordKey)
  const found = transaction.table<StoredHeld, string>('held')
  const meta = transaction.table<{ key: string; value: Meta }, string>('meta')
  return {
    held: {
      get: (key) => held.get(key).then((row) => row && read(row)),
      all: () => held.all().then((rows) => rows.map(read)),
      put: (rows) => held.put(rows.map(stored)),
      delete: held.delete,
      ofKind: (kind) =>
        asked(
          found
            .where(':id')
            .startsWith(recordKey({ kind, id: '' }))
            .toArray(),
        ).then((rows) => rows.map(read)),
      unconfirmed: () => asked(found.where('unconfirmed').equals(1).toArray()).then((rows) => rows.map(read)),
    },
    outbox: table<Pending>('pending', recordKey),
    refused: table<Refused>('refused', ({ edit }) => editKey(edit)),
    overridden: table<Overridden>('overridden', ({ mine }) => editKey(mine)),
    meta: () =>
      asked(meta.get(META_KEY)).then((row) => {
        if (!row) throw new StoreError('damaged')
        return row.value
      }),
    setMeta: (value) => write(meta.put({ key: META_KEY, value })),
    wipe: () =>
      write(
        Dexie.Promise.all(['held', 'pending', 'refused', 'overridden'].map((name) => transaction.table(name).clear())),
      ),
  }
}

/**
 * The versions of the local database (R6.3). The one of version 2 added balance adjustments, that of version 3 made
 * settings ids UUIDs, that of version 4 keeps what the service has apart from what is pending.
 */
function defineVersions(database: Dexie, user: number, random: Random): void {
  database.version(1).stores({
    entries: 'id',
    closed_days: 'id',
    closed_weeks: 'id',
    settings_history: 'id',
    outbox: '++seq',
    meta: 'key',
  })
  database.version(2).stores({ balance_adjustments: 'id' })
  database.version(3).upgrade(async (transaction) => {
    await transaction.table('settings_history').clear()
    await transaction.table('meta').delete('last_version')
    const outbox = transaction.table<OldOutboxRow>('outbox')
    await outbox.bulkPut(withSettingsUuids(await outbox.toArray(), user, () => random.uuid()))
  })
  database
    .version(4)
    .stores({
      ...Object.fromEntries(oldRecordTables.map((name) => [name, null])),
      outbox: null,
      held: ',unconfirmed',
      pending: '',
      refused: '',
      overridden: '',
    })
    .upgrade(async (transaction) => {
      const pending = pendingOf(await transaction.table<OldOutboxRow>('outbox').toArray())
      await transaction.table('pending').bulkPut(pending, pending.map(recordKey))
      for (const kind of oldRecordTables) {
        const held = heldOf(kind, await transaction.table<JsonObject>(kind).toArray(), pending)
        await transaction.table('held').bulkPut(held.map(stored), held.map(recordKey))
      }
      await transaction.table('meta').clear()
      const lastSeq = pending.reduce((last, { seq }) => Math.max(last, seq), 0)
      await addMeta(transaction, random, lastSeq)
    })
  database.on('populate', (transaction) => addMeta(transaction, random, 0))
}

async function addMeta(transaction: Transaction, random: Random, seq: number): Promise<void> {
  const value: Meta = { device: random.uuid(), seq, point: null, knownVersion: 0, offsetMs: 0 }
  await transaction.table('meta').add({ key: META_KEY, value })
}

/**
 * IndexedDB as Dexie is to see it. Where a newer program made the database, Dexie would open it at whatever version it
 * has, and change its tables.
 */
function onlyThisVersion(factory: () => Pick<IDBFactory, 'open'> | undefined) {
  return {
    open(name: string, version?: number): IDBOpenDBRequest {
      if (version === undefined) throw new StoreError('outdated')
      const there = factory()
      if (!there) throw new StoreError('unavailable')
      return there.open(name, version)
    },
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
