import type { UserNumber } from '@saldo/core'
import { forceCloseDatabase, IDBFactory, IDBKeyRange, IDBObjectStore } from 'fake-indexeddb'
import { expect, onTestFinished, test, vi } from 'vitest'
import { dexieStore } from '../../src/store/dexie/dexie-store.ts'
import { recordKey } from '../../src/store/rows.ts'
import type { Tables } from '../../src/store/store.ts'
import { baseRecord, contents, outboxRow, owner } from '../rows.ts'
import { describeLocalStore } from '../store-contract.ts'

let lastUser = 0
describeLocalStore('Dexie over IndexedDB', async () => {
  const indexedDB = new IDBFactory()
  lastUser += 1
  const user = lastUser as UserNumber
  return () => dexieStore({ indexedDB, IDBKeyRange })({ ...owner, user })
})

const NAME = `saldo-${owner.user}`

/** A store and the codes of its reported errors. */
function opened(indexedDB: Pick<IDBFactory, 'open' | 'deleteDatabase'>) {
  const store = dexieStore({ indexedDB, IDBKeyRange })(owner)
  onTestFinished(() => store.close())
  const codes: (string | undefined)[] = []
  store.subscribeToErrors(() => codes.push(store.error()?.code))
  return { store, codes }
}

const withCode = (code: string) => expect.objectContaining({ name: 'StoreError', code })

test('[D7.52] another tab is notified of a transaction and its tables, and sees its writes', async () => {
  const indexedDB = new IDBFactory()
  const [{ store: one }, { store: other }] = [opened(indexedDB), opened(indexedDB)]
  await contents(other)
  const heard = new Promise((resolve) => other.subscribe(resolve))
  await one.write(async (tables) => {
    await tables.outbox.put([outboxRow(1)])
    await tables.setMeta({ ...(await tables.meta()), seq: 1 })
  })
  expect(await heard).toEqual(new Set(['outbox', 'meta']))
  expect((await contents(other)).outbox).toEqual([outboxRow(1)])
})

test('[D7.51] transactions of two tabs run one after another', async () => {
  const indexedDB = new IDBFactory()
  const [one, other] = [opened(indexedDB).store, opened(indexedDB).store]
  const count = async (tables: Tables) => {
    const meta = await tables.meta()
    await tables.outbox.all()
    await tables.setMeta({ ...meta, seq: meta.seq + 1 })
  }
  await Promise.all(Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? one : other).write(count)))
  expect((await contents(one)).meta.seq).toBe(40)
})

test('[R6.3] [D7.53] an older tab that blocks an upgrade is a typed error until the tab is closed', async () => {
  const indexedDB = new IDBFactory()
  const old = await openedRaw(indexedDB, 10)
  const { store, codes } = opened(indexedDB)
  await expect(store.write((tables) => tables.meta())).rejects.toEqual(withCode('blocked'))
  expect(codes).toEqual(['blocked'])
  expect(store.error()).toEqual(withCode('blocked'))
  old.close()
  await expect.poll(() => codes).toEqual(['blocked', undefined])
  await store.write((tables) => tables.outbox.put([outboxRow(1)]))
})

test('[R6.3] [D7.53] after a blocked store is closed, the next one can upgrade', async () => {
  const indexedDB = new IDBFactory()
  const old = await openedRaw(indexedDB, 10)
  const { store } = opened(indexedDB)
  await expect(contents(store)).rejects.toEqual(withCode('blocked'))
  await store.close()
  await expect(contents(store)).rejects.toEqual(withCode('closed'))
  old.close()
  expect((await contents(opened(indexedDB).store)).outbox).toEqual([])
})

test('[R6.3] [D7.53] a tab closes its store for a newer program, reports it, and writes no more', async () => {
  const indexedDB = new IDBFactory()
  const { store, codes } = opened(indexedDB)
  await store.write((tables) => tables.outbox.put([outboxRow(1)]))
  const newer = await openedRaw(indexedDB, 60)
  expect(codes).toEqual(['outdated'])
  await expect(store.write((tables) => tables.outbox.put([outboxRow(2)]))).rejects.toEqual(withCode('outdated'))
  expect(newer.version).toBe(60)
})

test('[R6.3] [D7.53] a running transaction finishes before the upgrade of a newer program', async () => {
  const indexedDB = new IDBFactory()
  const { store } = opened(indexedDB)
  await contents(store)
  const running = store.write(async (tables) => {
    await tables.baseRecords.put([baseRecord(1)])
    for (let number = 2; number <= 20; number += 1) await tables.baseRecords.put([baseRecord(number)])
  })
  const newer = await openedRaw(indexedDB, 60)
  await running
  const rows = newer.transaction('baseRecords').objectStore('baseRecords').count()
  expect(await new Promise((resolve) => rows.addEventListener('success', () => resolve(rows.result)))).toBe(20)
})

test('[R6.3] [D7.53] a database of a newer program is rejected and not changed', async () => {
  const indexedDB = new IDBFactory()
  const newer = await openedRaw(indexedDB, 60)
  newer.close()
  const { store, codes } = opened(indexedDB)
  await expect(contents(store)).rejects.toEqual(withCode('outdated'))
  expect(codes).toEqual(['outdated'])
  const { version, objectStoreNames } = await openedRaw(indexedDB)
  expect([version, ...objectStoreNames]).toEqual([60])
})

test('[D7.53] a database deleted under an open store is not silently created again', async () => {
  const indexedDB = new IDBFactory()
  const { store, codes } = opened(indexedDB)
  await store.write((tables) => tables.outbox.put([outboxRow(1)]))
  await settled(indexedDB.deleteDatabase(NAME))
  await expect(store.write((tables) => tables.outbox.put([outboxRow(2)]))).rejects.toEqual(withCode('gone'))
  expect(codes).toEqual(['gone'])
  expect(await indexedDB.databases()).toEqual([])
})

test('[D7.50] [D7.53] a connection closed by the browser is a typed error and rolls back the transaction', async () => {
  const indexedDB = new IDBFactory()
  const connections: IDBDatabase[] = []
  const { store, codes } = opened({
    deleteDatabase: (name) => indexedDB.deleteDatabase(name),
    open(name, version) {
      const request = indexedDB.open(name, version)
      request.addEventListener('success', () => connections.push(request.result))
      return request
    },
  })
  await store.write((tables) => tables.outbox.put([outboxRow(1)]))
  const running = store.write(async (tables) => {
    await tables.outbox.put([outboxRow(2)])
    closeByBrowser(connections[0] as IDBDatabase)
    await tables.outbox.put([outboxRow(3)])
  })
  await expect(running).rejects.toMatchObject({ name: 'StoreError' })
  await expect.poll(() => codes).toEqual(['gone'])
  await expect(contents(store)).rejects.toEqual(withCode('gone'))
  expect((await contents(opened(indexedDB).store)).outbox).toEqual([outboxRow(1)])
})

test.each([
  ['none', () => undefined],
  [
    'one that may not be used',
    () => {
      throw new DOMException('not here', 'SecurityError')
    },
  ],
  [
    'one that does not open in a private window',
    () => {
      throw new DOMException('private', 'InvalidStateError')
    },
  ],
])('[D7.53] where the browser has %s for IndexedDB, each transaction is a typed error', async (_what, open) => {
  const { store, codes } = opened({ open: open as never, deleteDatabase: open as never })
  await expect(contents(store)).rejects.toEqual(withCode('unavailable'))
  await expect(contents(store)).rejects.toEqual(withCode('unavailable'))
  expect(codes).toEqual(['unavailable'])
})

test('[D7.53] without IndexedDB, opening a store is a typed error', async () => {
  const store = dexieStore()(owner)
  onTestFinished(() => store.close())
  await expect(contents(store)).rejects.toEqual(withCode('unavailable'))
})

test('[D7.49] erasing a store removes it for the other tabs too', async () => {
  const indexedDB = new IDBFactory()
  const [one, other] = [opened(indexedDB), opened(indexedDB)]
  await one.store.write((tables) => tables.outbox.put([outboxRow(1)]))
  const running = other.store.write(async (tables) => {
    for (let number = 2; number <= 20; number += 1) await tables.outbox.put([outboxRow(number)])
  })
  await one.store.erase()
  await running
  expect(await indexedDB.databases()).toEqual([])
  expect([one.codes, other.codes]).toEqual([[], ['gone']])
  await expect(contents(other.store)).rejects.toEqual(withCode('gone'))
  expect((await contents(opened(indexedDB).store)).outbox).toEqual([])
})

test('[D7.49] a store is erased once an older tab that does not close itself is closed', async () => {
  const indexedDB = new IDBFactory()
  const { store } = opened(indexedDB)
  await contents(store)
  const old = await openedRaw(indexedDB)
  const requested = new Promise((resolve) => old.addEventListener('versionchange', resolve))
  const erasing = store.erase()
  await requested
  old.close()
  await erasing
  expect(await indexedDB.databases()).toEqual([])
})

test('[D7.49] a store of a newer program can be erased', async () => {
  const indexedDB = new IDBFactory()
  const newer = await openedRaw(indexedDB, 60)
  newer.close()
  const { store } = opened(indexedDB)
  await expect(contents(store)).rejects.toEqual(withCode('outdated'))
  await store.erase()
  expect(await indexedDB.databases()).toEqual([])
})

test('[D7.49] a store that cannot be erased reports the reason', async () => {
  const store = dexieStore()(owner)
  await expect(store.erase()).rejects.toEqual(withCode('unavailable'))
})

/** Closes a connection as a browser does by itself: aborts what runs and fires `close`. */
function closeByBrowser(connection: IDBDatabase): void {
  const { transactions } = (connection as unknown as { _rawDatabase: { transactions: Abortable[] } })._rawDatabase
  for (const transaction of transactions) if (transaction._state !== 'finished') transaction._abort('AbortError')
  forceCloseDatabase(connection as never)
}

interface Abortable {
  _state: string
  _abort(errorName: string): void
}

/** Has the browser's quota be reached: by a request, or by the transaction while its requests succeed. */
function fillQuota(by: 'request' | 'transaction', lastPut: string): void {
  onTestFinished(() => {
    vi.restoreAllMocks()
  })
  const { put } = IDBObjectStore.prototype
  vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (this: IDBObjectStore, value, key) {
    if (by === 'request') throw new DOMException('full', 'QuotaExceededError')
    const request = put.call(this, value, key)
    const end = () => (this.transaction as unknown as Abortable)._abort('QuotaExceededError')
    if (key === lastPut) request.addEventListener('success', end)
    return request
  })
}

test.each([
  ['first put', 'request', 1],
  ['first of two puts that succeed', 'transaction', 1],
  ['end', 'transaction', 2],
] as const)(
  '[D7.50] [D7.53] a quota that is reached at the %s of a transaction is a typed error, and nothing of the transaction is kept',
  async (_at, by, number) => {
    const { store, codes } = opened(new IDBFactory())
    await store.write((tables) => tables.outbox.put([outboxRow(1)]))
    const before = await contents(store)
    fillQuota(by, recordKey(baseRecord(number)))
    const running = store.write(async (tables) => {
      await tables.outbox.delete([1])
      await tables.baseRecords.put([baseRecord(1), baseRecord(2)])
    })
    await expect(running).rejects.toEqual(withCode('full'))
    vi.restoreAllMocks()
    expect(await contents(store)).toEqual(before)
    expect(store.error()).toEqual(withCode('full'))
    await store.write((tables) => tables.outbox.put([outboxRow(2)]))
    expect(codes).toEqual(['full', undefined])
    expect((await contents(store)).outbox).toEqual([outboxRow(1), outboxRow(2)])
  },
)

test.each(['request', 'transaction'] as const)(
  '[D7.50] a quota that is reached amid a thousand rows, by a %s, is one typed error, and none of them is kept',
  async (by) => {
    const { store } = opened(new IDBFactory())
    await contents(store)
    fillQuota(by, recordKey(baseRecord(400)))
    const rows = Array.from({ length: 1_000 }, (_, number) => baseRecord(number))
    await expect(store.write((tables) => tables.baseRecords.put(rows))).rejects.toEqual(withCode('full'))
    vi.restoreAllMocks()
    expect((await contents(store)).baseRecords).toEqual([])
  },
)

test('[D7.50] a transaction that ignores a failed write is rolled back as a whole', async () => {
  const { store } = opened(new IDBFactory())
  const running = store.write(async (tables) => {
    await tables.outbox.put([outboxRow(1)])
    await tables.baseRecords.put([baseRecord(1, { note: (() => {}) as never })]).catch(() => {})
  })
  await expect(running).rejects.toMatchObject({ name: 'StoreError', code: 'failed' })
  expect((await contents(store)).outbox).toEqual([])
})

function settled(request: IDBOpenDBRequest): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error))
  })
}

/** A connection of another program, which does not close itself. */
function openedRaw(indexedDB: IDBFactory, version?: number): Promise<IDBDatabase> {
  return settled(indexedDB.open(NAME, version))
}
