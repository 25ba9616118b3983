import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { type ProblemCode, problemOf } from '@saldo/core'
import { expect, onTestFinished, test } from 'vitest'
import { InvalidRecordError, RejectedError } from '../../src/engine/errors.ts'
import { Mutator } from '../../src/engine/mutator.ts'
import type { ServiceResponse, Transport } from '../../src/host/transport.ts'
import { sqliteStore } from '../../src/store/node/sqlite-store.ts'
import type { OutboxRow } from '../../src/store/rows.ts'
import type { LocalStore } from '../../src/store/store.ts'
import { conflict, contents, id, outboxRow, owner, rejectedChange } from '../rows.ts'
import { temporaryDir } from './child.ts'

const NOW_MS = Date.parse('2026-11-21T12:00:00.000Z')
const sick = { kind: 'sick', date: '2026-11-17' } as const

/** Returns a row of a change beside the same of another time, of another kind, and of another record. */
function withOthers<Row>(rowOf: (number: number, of: object) => Row): [Row, ...Row[]] {
  const otherTime = { updatedAt: '2026-11-21T08:30:00.001Z' }
  return [rowOf(1, {}), rowOf(1, otherTime), rowOf(1, { kind: 'balance_adjustments' }), rowOf(2, {})]
}
const [rejected, ...otherRejected] = withOthers((number, of) => {
  const { change, ...row } = rejectedChange(number)
  return { ...row, change: { ...change, ...of } }
})
const [lost, ...otherLost] = withOthers((number, of) => {
  const { mine, ...row } = conflict(number)
  return { ...row, mine: { ...mine, ...of } }
})
/** A later unsent change of another record. */
const unsent: OutboxRow = { ...outboxRow(2), place: 8, updatedAt: '2026-11-22T08:00:00.000Z' }

const refuse: Transport = () => Promise.reject(new Error('changes that were sent before are pushed'))

function mutatorOf(store: LocalStore, transport = refuse, events: string[] = []): Mutator {
  return new Mutator({
    store,
    transport,
    clock: { now: () => NOW_MS, after: () => () => {} },
    newId: () => id(9),
    tabName: () => 'tab',
    isConnected: () => true,
    onEvent: (event) => events.push(event),
    onLostResult: async () => {},
  })
}

function openStore(): LocalStore {
  const store = sqliteStore(join(temporaryDir(), 'store.db'))(owner)
  onTestFinished(() => store.close())
  return store
}

const { kind, content } = rejected.change
const edited = { ...content, ...sick }
const decisions: [string, object, (mutator: Mutator) => Promise<void>, object[]][] = [
  ['retrying a rejected change', rejected, (mutator) => mutator.retry(rejected), [{ kind, content }]],
  ['editing a rejected change', rejected, (mutator) => mutator.edit(rejected, sick), [{ kind, content: edited }]],
  ['discarding a rejected change', rejected, (mutator) => mutator.discard(rejected), []],
  ['restoring a change that lost', lost, (mutator) => mutator.restoreMine(lost), [{ kind, content }]],
  ['dismissing a conflict', lost, (mutator) => mutator.dismiss(lost), []],
]

test.each(decisions)('[D7.20] [D7.21] %s leaves all other changes as they are', async (...row) => {
  const [, decided, decide, queued] = row
  const store = openStore()
  await store.write(async (tables) => {
    await tables.rejectedChanges.put([rejected, ...otherRejected])
    await tables.conflicts.put([lost, ...otherLost])
    await tables.outbox.put([unsent])
  })
  const before = await contents(store)
  await decide(mutatorOf(store))
  const { rejectedChanges, conflicts, outbox } = await contents(store)
  const isOther = (one: object) => !isDeepStrictEqual(one, decided)
  expect([rejectedChanges, conflicts]).toEqual([
    before.rejectedChanges.filter(isOther),
    before.conflicts.filter(isOther),
  ])
  // A request carried them before, so that a deletion of the record has to be sent.
  expect(outbox).toMatchObject([...queued.map((one) => ({ ...one, id: id(1), generation: 1 })), unsent])
})

const problem = problemOf('invalid_record', 'No.')
const stamp = { id: id(9), version: 4, updated_at: '2026-11-21T12:00:00.000Z' }
test.each<[string, ServiceResponse]>([
  ['stored', { outcome: 'ok', status: 200, body: { ...sick, ...stamp }, headers: new Headers() }],
  ['rejected', { outcome: 'rejected', status: 422, problem, headers: new Headers() }],
])(
  '[D7.17] a change that another tab sends meanwhile waits, though its own request says that it is %s',
  async (...row) => {
    const [, reply] = row
    const store = openStore()
    const sendAgain = () =>
      store.write(async (tables) => {
        await tables.outbox.put(
          (await tables.outbox.all()).map((sent) => ({ ...sent, generation: 2, sender: 'other' })),
        )
      })
    const events: string[] = []
    const mutator = mutatorOf(store, () => sendAgain().then(() => reply), events)
    expect(await mutator.put('entries', { kind: 'sick', date: '2026-11-17' }).settled).toEqual({
      id: id(9),
      result: 'queued',
    })
    expect(await contents(store)).toMatchObject({ outbox: [{ id: id(9), sender: 'other' }], baseRecords: [] })
    expect(events).toEqual(['outboxReady'])
  },
)

test('[D7.40] a direct write whose answer reveals a history reset waits, and the reset is reported', async () => {
  const store = openStore()
  await store.write(async (tables) =>
    tables.setMeta({ ...(await tables.meta()), position: { version: 5, tag: 'a' }, knownVersion: 5 }),
  )
  const events: string[] = []
  const reply: ServiceResponse = { outcome: 'ok', status: 200, body: { ...sick, ...stamp }, headers: new Headers() }
  const mutator = mutatorOf(store, async () => reply, events)
  expect(await mutator.put('entries', { kind: 'sick', date: '2026-11-17' }).settled).toMatchObject({ result: 'queued' })
  expect(events).toEqual(['historyReset'])
  expect(await contents(store)).toMatchObject({ outbox: [{ sender: null }], meta: { isHistoryReset: true } })
})

test('a defect of the transport leaves the change queued for a push, which reports the defect', async () => {
  const store = openStore()
  const events: string[] = []
  const mutator = mutatorOf(store, () => Promise.reject(new TypeError('a defect')), events)
  expect(await mutator.put('entries', sick).settled).toMatchObject({ result: 'queued' })
  expect(events).toEqual(['outboxReady'])
  expect(await store.read(({ outbox }) => outbox.first(9))).toMatchObject([{ id: id(9), sender: null }])
})

test('[R5.1] a mutation is queued before the service answers, and settled when it has', async () => {
  const { promise, resolve } = Promise.withResolvers<ServiceResponse>()
  const mutator = mutatorOf(openStore(), () => promise)
  const { queued, settled } = mutator.put('entries', sick)
  await queued
  const first = await Promise.race([settled, new Promise((done) => setImmediate(() => done('still waiting')))])
  expect(first).toBe('still waiting')
  resolve({ outcome: 'retryable', retryAfterMs: 0 })
  expect(await settled).toEqual({ id: id(9), result: 'queued' })
})

test('both promises of a mutation tell that it cannot be queued, and the first may be ignored', async () => {
  const mutator = mutatorOf(openStore())
  const { queued, settled } = mutator.update('entries', id(1), {})
  await expect(settled).rejects.toThrow(RangeError)
  await expect(queued).rejects.toThrow(RangeError)
  // An error that nobody handles ends the test run.
  await expect(mutator.put('entries', {} as never).settled).rejects.toThrow(InvalidRecordError)
})

test('[D7.10] a rejected direct write reaches the caller, or is kept if the user can ask for it', async () => {
  const store = openStore()
  const rejecting = (code: ProblemCode) =>
    mutatorOf(store, async () => ({
      outcome: 'rejected',
      status: 409,
      problem: problemOf(code, 'no'),
      headers: new Headers(),
    }))
  await expect(rejecting('conflict').put('entries', sick).settled).rejects.toThrow(RejectedError)
  expect(await contents(store)).toMatchObject({ outbox: [], rejectedChanges: [] })
  const { settled } = rejecting('locked').put('entries', sick)
  expect(await settled).toEqual({ id: id(9), result: 'queued' })
  const { outbox, rejectedChanges } = await contents(store)
  expect(outbox).toEqual([])
  expect(rejectedChanges).toMatchObject([{ change: { id: id(9), content: sick }, problem: { code: 'locked' } }])
})
