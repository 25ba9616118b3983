import { recordKinds } from '@saldo/core'
import { expect, test } from 'vitest'
import type { ServiceResponse } from '../../src/host/transport.ts'
import { StoreError, type StoreErrorCode } from '../../src/store/errors.ts'
import { Listeners } from '../../src/store/listeners.ts'
import type { LocalStore, ReadTables } from '../../src/store/store.ts'
import { rest, SERVER_TIME, SyncedTabs } from './synced-tabs.ts'

const unreachable: ServiceResponse = { outcome: 'retryable', retryAfterMs: 0 }
const leads = (tabs: SyncedTabs) => tabs.browser.holders('saldo-1-leader').map(({ id }) => id)

/** Holds up the requests of a tab until the returned function lets the service, or a reply of the test, answer. */
function holdUp(tabs: SyncedTabs): (reply?: ServiceResponse) => void {
  const { promise, resolve } = Promise.withResolvers<ServiceResponse | undefined>()
  tabs.answer = () => promise as Promise<ServiceResponse>
  return (reply) => {
    tabs.answer = () => undefined
    resolve(reply)
  }
}

test('[D7.44] a tab that stops lets another one lead, as soon as its request is over', async () => {
  const tabs = new SyncedTabs()
  const [leader, follower] = [await tabs.open('leader'), await tabs.open('follower')]
  const release = holdUp(tabs)
  void leader.engine.sync()
  await rest()
  void leader.engine.stop()
  await rest()
  expect(leads(tabs)).toEqual(['leader'])
  release()
  await rest()
  expect(leads(tabs)).toEqual(['follower'])
  expect(follower.engine.activity().phase).toBe('idle')
})

test('[D7.44] a tab that has stopped takes no part again when its page is resumed', async () => {
  const tabs = new SyncedTabs()
  const { page, engine } = await tabs.open('alone')
  await engine.stop()
  page.freeze(true)
  await page.thaw()
  await rest()
  expect(leads(tabs)).toEqual([])
})

test('[D7.46] a request that was under way when the network went does not count once it is back', async () => {
  const tabs = new SyncedTabs()
  const { page, engine } = await tabs.open('alone')
  const release = holdUp(tabs)
  tabs.paths.length = 0
  void engine.sync()
  await rest()
  page.connect(false)
  page.connect(true)
  await rest()
  expect(tabs.paths).toHaveLength(1)
  release(unreachable)
  await rest()
  expect(tabs.paths.slice(1)).toContain('/api/sync/pull?since=3')
  expect(engine.activity().phase).toBe('idle')
})

test('[D7.24] a sync that cuts a wait short leaves the next one its full length', async () => {
  const tabs = new SyncedTabs()
  const { engine } = await tabs.open('alone')
  for (const retryAfterMs of [10_000, 60_000]) {
    tabs.answer = async () => ({ ...unreachable, retryAfterMs })
    await engine.sync()
    expect(engine.activity().phase).toBe('waiting')
  }
  tabs.paths.length = 0
  await tabs.pass(59)
  expect(tabs.paths).toEqual([])
  await tabs.pass(1)
  expect(tabs.paths).toHaveLength(1)
})

test('[D7.46] a device listens for notifications while it syncs, rests or waits, and at no other time', async () => {
  const tabs = new SyncedTabs()
  const { page, engine } = await tabs.open('alone')
  const isListening = () => tabs.streams.has('alone')
  expect(isListening()).toBe(true)
  tabs.answer = async () => ({ ...unreachable, retryAfterMs: 60_000 })
  await engine.sync()
  expect([engine.activity().phase, isListening()]).toEqual(['waiting', true])
  page.connect(false)
  expect(isListening()).toBe(false)
  tabs.answer = () => undefined
  page.connect(true)
  await engine.stepsEnded()
  expect(isListening()).toBe(true)
  engine.dispatch('unauthenticated')
  expect(isListening()).toBe(false)
})

/** Wraps a store so that a test can have it report an error. */
function failing(store: LocalStore) {
  const listeners = new Listeners()
  let error: StoreError | undefined
  const fail = (code: StoreErrorCode | undefined) => {
    error = code && new StoreError(code)
    listeners.call()
  }
  const wrapped: LocalStore = {
    write: (body) => store.write(body),
    read: (body) => store.read(body),
    subscribe: (listener) => store.subscribe(listener),
    subscribeToErrors: (listener) => listeners.add(listener),
    error: () => error,
    close: () => store.close(),
    erase: () => store.erase(),
  }
  return { store: wrapped, fail }
}

/** Returns the leader after a store of its tab has failed, and the leader after a tab with such a store has joined. */
async function leadersAfter(code: StoreErrorCode) {
  const tabs = new SyncedTabs()
  const { store, fail } = failing(tabs.store)
  await tabs.open('leader', { store })
  const follower = await tabs.open('follower')
  fail(code)
  await rest()
  const afterFailure = leads(tabs)
  await follower.engine.stop()
  fail(code)
  await tabs.open('third', { store })
  return [...afterFailure, ...leads(tabs)]
}

test.each(['gone', 'outdated', 'damaged', 'unavailable'] as const)(
  '[D7.53] [D7.44] a tab whose store is %s does not lead',
  async (code) => expect(await leadersAfter(code)).toEqual(['follower']),
)

test.each(['blocked', 'full', 'failed'] as const)(
  '[D7.53] [D7.44] a tab goes on leading while the error of its store is "%s"',
  async (code) => expect(await leadersAfter(code)).toEqual(['leader', 'leader']),
)

test('[D7.53] a store that works again leads to a sync', async () => {
  const tabs = new SyncedTabs()
  const { store, fail } = failing(tabs.store)
  const { engine } = await tabs.open('alone', { store })
  fail('full')
  await rest()
  await engine.stepsEnded()
  tabs.paths.length = 0
  fail(undefined)
  await rest()
  await engine.stepsEnded()
  expect(tabs.paths).toEqual(['/api/sync/pull?since=3'])
})

test('a notification costs an idle device three local transactions, none of them an empty write', async () => {
  const tabs = new SyncedTabs()
  const transactions: ('read' | 'write' | 'empty write')[] = []
  const { store } = tabs
  const counted: LocalStore = {
    async write(body) {
      const before = await store.read(rowsOf)
      const result = await store.write(body)
      transactions.push(before === (await store.read(rowsOf)) ? 'empty write' : 'write')
      return result
    },
    read(body) {
      transactions.push('read')
      return store.read(body)
    },
    subscribe: (listener) => store.subscribe(listener),
    subscribeToErrors: (listener) => store.subscribeToErrors(listener),
    error: () => store.error(),
    close: () => store.close(),
    erase: () => store.erase(),
  }
  const { engine } = await tabs.open('alone', { store: counted })
  const notify = async (version: number) => {
    transactions.length = 0
    tabs.streams.get('alone')?.(version)
    await rest()
    await engine.stepsEnded()
    return [...transactions]
  }
  let version = 3
  tabs.answer = ({ path }) => {
    if (!path.includes('pull')) return undefined
    const page = { version, tag: 'b', since_tag: version === 4 ? 'a' : 'b', has_more: false, changes: {}, deleted: {} }
    const body = { ...page, server_time: SERVER_TIME }
    return Promise.resolve({ outcome: 'ok', status: 200, body, headers: new Headers() })
  }
  tabs.clock.pass(1_000)
  version = 4
  // Once a day, digests are compared too.
  expect(await notify(version)).toEqual(['read', 'read', 'write', 'write'])
  version = 5
  expect(await notify(version)).toEqual(['read', 'read', 'write'])
  expect((await store.read((tables) => tables.meta())).position).toEqual({ version, tag: 'b' })
  // It has that version now.
  expect(await notify(version)).toEqual(['read'])
})

/** Returns all that the rows of a store say, as text. */
async function rowsOf(tables: ReadTables): Promise<string> {
  const lists = [tables.outbox, tables.rejectedChanges, tables.conflicts].map((table) => table.all())
  const bases = await Promise.all(recordKinds.map((kind) => tables.baseRecords.ofKind(kind)))
  return JSON.stringify([await tables.meta(), bases, await Promise.all(lists)])
}
