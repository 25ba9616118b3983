import { problemOf } from '@saldo/core'
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import { expect, test } from 'vitest'
import { Mutator } from '../../src/engine/mutator.ts'
import type { ServiceResponse } from '../../src/host/transport.ts'
import { dexieStore, hasDexieDatabase } from '../../src/store/dexie/dexie-store.ts'
import { id, owner } from '../rows.ts'

test.each<[string, ServiceResponse]>([
  ['nothing', { outcome: 'retryable', retryAfterMs: 0 }],
  ['a rejection', { outcome: 'rejected', status: 422, problem: problemOf('conflict', 'No.'), headers: new Headers() }],
])('[D7.53] a mutation whose store is deleted before %s comes back is not said to be queued', async (_what, reply) => {
  const indexedDB = new IDBFactory()
  const open = dexieStore({ indexedDB, IDBKeyRange })
  const [store, inOtherTab] = [open(owner), open(owner)]
  const mutator = new Mutator({
    store,
    transport: async () => {
      await inOtherTab.erase()
      return reply
    },
    clock: { now: () => 0, after: () => () => {} },
    newId: () => id(1),
    tabName: () => 'tab',
    isConnected: () => false,
    onEvent: () => {},
    onLostResult: async () => {},
  })
  const created = mutator.put('entries', { kind: 'sick', date: '2026-11-20' }).settled
  await expect(created).rejects.toMatchObject({ name: 'StoreError', code: 'gone' })
})

test('[D7.49] a background sync can tell that the database was deleted, and makes none', async () => {
  const indexedDB = new IDBFactory()
  const isThere = () => hasDexieDatabase(owner.user, indexedDB)
  expect(await isThere()).toBe(false)
  const store = dexieStore({ indexedDB, IDBKeyRange })(owner)
  await store.read((tables) => tables.meta())
  expect(await isThere()).toBe(true)
  await store.erase()
  expect(await isThere()).toBe(false)
})
