import { type JsonObject, problemOf } from '@saldo/core'
import { beforeEach, expect, test } from 'vitest'
import { FULL_BATCH } from '../../src/engine/batch.ts'
import { queueMutation, queueMutations } from '../../src/engine/outbox.ts'
import { pullOnce } from '../../src/engine/pull.ts'
import { pushOnce } from '../../src/engine/push.ts'
import type { ServiceRequest } from '../../src/host/transport.ts'
import type { Meta } from '../../src/store/rows.ts'
import type { LocalStore, Tables } from '../../src/store/store.ts'
import { baseRecord, contents, id, outboxRow } from '../rows.ts'
import { openTestStore } from './test-store.ts'

const SERVER_TIME = '2026-11-21T12:00:00.000Z'
const NOW_MS = Date.parse(SERVER_TIME)
const LATER = '2026-11-22T12:00:00.000Z'

let store: LocalStore
/** Runs while the service answers. */
let meanwhile: () => Promise<unknown>
let requests: ServiceRequest[]
/** The answer of the service to every request. */
let answer: JsonObject

beforeEach(() => {
  store = openTestStore()
  meanwhile = async () => {}
  requests = []
})

const context = () => ({
  store,
  now: () => NOW_MS,
  livingTabs: async () => new Set<string>(),
  transport: async (request: ServiceRequest) => {
    requests.push(request)
    await meanwhile()
    const body = { server_time: SERVER_TIME, ...answer }
    return { outcome: 'ok', status: 200, body, headers: new Headers() } as const
  },
})

const write = <T>(work: (tables: Tables) => Promise<T>) => store.write(work)
const changeMeta = (changes: Partial<Meta>) =>
  write(async (tables) => tables.setMeta({ ...(await tables.meta()), ...changes }))
const queue = (number: number, content: JsonObject | null) =>
  write((tables) => queueMutation(tables, { kind: 'entries', id: id(number), content }, NOW_MS))
const stamp = (number: number, version: number, of: JsonObject = {}) => ({
  id: id(number),
  version,
  updated_at: SERVER_TIME,
  ...of,
})

test('[D6.14] the changes of a device are numbered on, whatever became of those before', async () => {
  const first = await queue(1, { note: 'a' })
  const second = await queue(2, { note: 'b' })
  expect([first.isAlone, second.isAlone]).toEqual([true, false])
  // Nothing is left to send of a record that was on this device alone.
  expect(await queue(1, null)).toMatchObject({ row: undefined, isAlone: false })
  const both = [3, 4].map((number) => ({ kind: 'entries' as const, id: id(number), content: { note: 'c' } }))
  const { device, rows } = await write((tables) => queueMutations(tables, both, NOW_MS))
  expect(rows.map(({ seq, place }) => [seq, place])).toEqual([
    [4, 4],
    [5, 5],
  ])
  const { outbox, meta } = await contents(store)
  expect(outbox.map(({ id, seq, content }) => [id, seq, content])).toEqual([
    [id(2), 2, { note: 'b' }],
    [id(3), 4, { note: 'c' }],
    [id(4), 5, { note: 'c' }],
  ])
  expect(meta).toMatchObject({ device, seq: 5 })
})

test('[D6.1] a push names the device, and each change with its number and time', async () => {
  await write((tables) => tables.outbox.put([outboxRow(1, { note: 'a' }), outboxRow(2, null)]))
  answer = { results: [] }
  await pushOnce(context(), FULL_BATCH)
  const { device } = (await contents(store)).meta
  const updated_at = '2026-11-21T08:30:00.000Z'
  expect(requests).toEqual([
    {
      method: 'POST',
      path: '/api/sync/push',
      body: {
        device,
        changes: [
          { kind: 'entries', op: 'upsert', seq: 1, record: { note: 'a', id: id(1), updated_at } },
          { kind: 'entries', op: 'delete', seq: 2, id: id(2), updated_at },
        ],
      },
    },
  ])
})

test('[D6.5] each result of a push brings the record that the service has, or the reason of a rejection', async () => {
  const problem = problemOf('invalid_record', 'No.') as JsonObject
  await changeMeta({ position: { version: 3, tag: 'three' }, knownVersion: 3, offsetMs: 0 })
  await write((tables) =>
    tables.outbox.put([
      outboxRow(1, { note: 'a' }),
      { ...outboxRow(2, { note: 'b' }), isUnreadable: true },
      outboxRow(3, null),
      outboxRow(4, { note: 'mine' }),
      outboxRow(5, { note: 'mine' }),
      outboxRow(6, { note: 'no' }),
      outboxRow(7, { note: 'no reason' }),
    ]),
  )
  const theirs = { ...stamp(4, 8), created_at: SERVER_TIME, note: 'theirs' }
  answer = {
    results: [
      { status: 'applied', ...stamp(1, 5) },
      { status: 'unchanged', ...stamp(2, 6) },
      { status: 'applied', ...stamp(3, 7) },
      { status: 'superseded', ...stamp(4, 8), record: theirs },
      { status: 'superseded', ...stamp(5, 9) },
      { status: 'rejected', problem },
      { status: 'rejected' },
    ],
  }
  expect(await pushOnce(context(), FULL_BATCH)).toEqual({ outcome: 'sent' })
  const { baseRecords, outbox, rejectedChanges, conflicts, meta } = await contents(store)
  const kept = { kind: 'entries', updatedAt: SERVER_TIME, unconfirmed: true }
  expect(baseRecords).toEqual([
    { ...kept, id: id(1), version: 5, record: { note: 'a', ...stamp(1, 5) } },
    { ...kept, id: id(2), version: 6, record: { note: 'b', ...stamp(2, 6) }, isUnreadable: true },
    { ...kept, id: id(3), version: 7, record: null },
    // This is no entry that the program can read.
    { ...kept, id: id(4), version: 8, record: theirs, isUnreadable: true },
    { ...kept, id: id(5), version: 9, record: null },
  ])
  expect(outbox).toEqual([])
  expect(conflicts.map(({ mine, theirs }) => [mine.id, mine.content, theirs.record])).toEqual([
    [id(4), { note: 'mine' }, theirs],
    [id(5), { note: 'mine' }, null],
  ])
  expect(rejectedChanges).toMatchObject([
    { change: { id: id(6), content: { note: 'no' } }, problem, rejectedAtMs: NOW_MS },
    { change: { id: id(7) }, problem: { status: 422, code: 'internal' } },
  ])
  expect(meta.knownVersion).toBe(9)
})

test('[D7.16] a change made during a push waits to be sent, for any tab, and the record has the result', async () => {
  await write((tables) => tables.outbox.put([outboxRow(1, { note: 'a' })]))
  meanwhile = () => queue(1, { note: 'b' })
  answer = { results: [{ status: 'applied', ...stamp(1, 5) }] }
  expect(await pushOnce(context(), FULL_BATCH)).toEqual({ outcome: 'sent' })
  expect(await contents(store)).toMatchObject({
    outbox: [{ id: id(1), content: { note: 'b' }, place: 1, generation: 1, sender: null }],
    baseRecords: [{ id: id(1), version: 5, record: { note: 'a' } }],
  })
})

test('[D7.40] one result of another history is noted, and the others count', async () => {
  await changeMeta({ position: { version: 5, tag: 'five' }, knownVersion: 5 })
  await write(async (tables) => {
    await tables.baseRecords.put([baseRecord(3)])
    await tables.outbox.put([outboxRow(1), { ...outboxRow(3), sender: 'gone' }])
  })
  answer = {
    results: [
      { status: 'applied', ...stamp(1, 6) },
      { status: 'applied', ...stamp(3, 2), updated_at: LATER },
    ],
  }
  expect(await pushOnce(context(), FULL_BATCH)).toEqual({ outcome: 'historyReset' })
  expect(await contents(store)).toMatchObject({
    baseRecords: [
      { id: id(1), version: 6 },
      { id: id(3), version: 3 },
    ],
    outbox: [{ id: id(3), sender: null }],
    meta: { isHistoryReset: true, knownVersion: 6 },
  })
})

test('[R5.5] a device without a sync position requests no pull, but a cold start', async () => {
  expect(await pullOnce(context())).toEqual({ outcome: 'snapshotNeeded' })
  expect(requests).toEqual([])
})

test('[D7.35] a page of another history is not kept, but that the history was reset is', async () => {
  await changeMeta({ position: { version: 3, tag: 'three' }, knownVersion: 3 })
  const record = { ...stamp(1, 4), note: 'theirs' }
  answer = { version: 4, tag: 'four', since_tag: 'other', has_more: false, changes: { entries: [record] }, deleted: {} }
  expect(await pullOnce(context())).toEqual({ outcome: 'historyReset' })
  expect(await contents(store)).toMatchObject({
    baseRecords: [],
    meta: { isHistoryReset: true, position: { version: 3, tag: 'three' } },
  })
})

test('[D7.24] a store that fails during a pull is no history reset', async () => {
  await changeMeta({ position: { version: 3, tag: 'three' }, knownVersion: 3 })
  answer = { version: 3, tag: 'three', since_tag: 'three', has_more: false, changes: {}, deleted: {} }
  const full = { ...store, read: store.read.bind(store), write: () => Promise.reject(new Error('the disk is full')) }
  await expect(pullOnce({ ...context(), store: full })).rejects.toThrow('the disk is full')
})
