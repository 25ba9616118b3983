import { HOUR_MS, type Instant, type JsonObject, problemOf } from '@saldo/core'
import { beforeEach, expect, test } from 'vitest'
import { FULL_BATCH } from '../../src/engine/batch.ts'
import { coldStart } from '../../src/engine/cold-start.ts'
import { queueMutation } from '../../src/engine/outbox.ts'
import { pullOnce } from '../../src/engine/pull.ts'
import { pushOnce } from '../../src/engine/push.ts'
import { keepRejected, releaseRow, settleRow } from '../../src/engine/settle.ts'
import { showRecord } from '../../src/engine/shown-record.ts'
import { SyncSteps } from '../../src/engine/sync-steps.ts'
import type { ServiceRequest } from '../../src/host/transport.ts'
import type { BaseRecord, Meta, OutboxRow } from '../../src/store/rows.ts'
import type { LocalStore, Tables } from '../../src/store/store.ts'
import { baseRecord, conflict, contents, id, outboxRow, rejectedChange } from '../rows.ts'
import { openTestStore } from './test-store.ts'

const SERVER_TIME = '2026-11-21T12:00:00.000Z'
const NOW_MS = Date.parse(SERVER_TIME)
const EARLIER = '2026-11-20T12:00:00.000Z'
const LATER = '2026-11-22T12:00:00.000Z'

let store: LocalStore
/** Runs while the service answers the snapshot. */
let meanwhile: () => Promise<void>
/** The answer of the service to every request. */
let page: JsonObject

beforeEach(() => {
  store = openTestStore()
  meanwhile = async () => {}
  page = { version: 5, tag: 'five', since_tag: 'five', has_more: false, changes: {}, deleted: {} }
})

const context = () => ({
  store,
  now: () => NOW_MS,
  livingTabs: async () => new Set<string>(),
  transport: async () => {
    await meanwhile()
    const body = { ...page, server_time: SERVER_TIME }
    return { outcome: 'ok', status: 200, body, headers: new Headers() } as const
  },
})

const record = (number: number, updatedAt: Instant = SERVER_TIME) => ({
  id: id(number),
  version: number,
  updated_at: updatedAt,
  note: `record ${number}`,
})
const base = (number: number, of: Partial<BaseRecord> = {}): BaseRecord => ({
  ...baseRecord(number, record(number)),
  updatedAt: SERVER_TIME,
  ...of,
})

const write = (work: (tables: Tables) => Promise<void>) => store.write(work)
const changeMeta = (changes: Partial<Meta>) =>
  write(async (tables) => tables.setMeta({ ...(await tables.meta()), ...changes }))
const metaNow = () => store.read((tables) => tables.meta())
/** The ids of the offers, with their contents. */
const offers = async () => (await contents(store)).outbox.map(({ id, content }) => [id, content?.note])

test('[D7.31] unsent changes, rejected changes and conflicts survive a cold start', async () => {
  await write(async (tables) => {
    await tables.outbox.put([outboxRow(1), outboxRow(2)])
    await tables.rejectedChanges.put([rejectedChange(3)])
    await tables.conflicts.put([conflict(4)])
  })
  const before = await contents(store)
  expect(await coldStart(context())).toEqual({ outcome: 'coldStarted' })
  const after = await contents(store)
  expect(after).toMatchObject({
    outbox: before.outbox,
    rejectedChanges: before.rejectedChanges,
    conflicts: before.conflicts,
  })
})

test('[D7.17] a cold start makes the results of requests under way not count, and frees their rows', async () => {
  const sent = { ...outboxRow(1), generation: 1, sender: 'tab' }
  await write((tables) => tables.outbox.put([sent, outboxRow(2)]))
  await coldStart(context())
  expect((await contents(store)).outbox).toEqual([{ ...sent, generation: 2, sender: null }, outboxRow(2)])
})

test('[D7.38] the version of a record that is later than the position of the snapshot is known', async () => {
  page.changes = { entries: [{ ...record(1), version: 7 }] }
  await coldStart(context())
  expect(await contents(store)).toMatchObject({
    baseRecords: [{ version: 7, unconfirmed: true }],
    meta: { position: { version: 5 }, knownVersion: 7 },
  })
})

test('[D7.30] a snapshot that another tab has overtaken changes nothing', async () => {
  await changeMeta({ position: { version: 3, tag: 'three' } })
  await write((tables) => tables.baseRecords.put([base(1)]))
  meanwhile = () => changeMeta({ position: { version: 9, tag: 'nine' } })
  expect(await coldStart(context())).toEqual({ outcome: 'coldStarted' })
  expect(await contents(store)).toMatchObject({
    baseRecords: [base(1)],
    outbox: [],
    meta: { position: { version: 9, tag: 'nine' } },
  })
})

test('[D7.35] a history reset that is noticed during a cold start leads to another one', async () => {
  await changeMeta({ position: { version: 3, tag: 'three' }, knownVersion: 3 })
  await write((tables) => tables.baseRecords.put([base(1)]))
  meanwhile = () => changeMeta({ isHistoryReset: true })
  expect(await coldStart(context())).toEqual({ outcome: 'historyReset' })
  expect(await contents(store)).toMatchObject({ baseRecords: [base(1)], meta: { isHistoryReset: true } })
  meanwhile = async () => {}
  expect(await coldStart(context())).toEqual({ outcome: 'coldStarted' })
  expect(await metaNow()).toMatchObject({ isHistoryReset: false })
})

const closedWeek = (number: number, week: string): BaseRecord => ({
  ...base(number, { kind: 'closed_weeks' }),
  record: { ...record(number), week },
})

test('[D7.41] a week that was reopened before an ordinary cold start is not reported as lost', async () => {
  const lostClosings: Meta['lostClosings'] = { weeks: ['2026-W40'], days: ['2026-11-17'] }
  await changeMeta({ position: { version: 3, tag: 'three' }, knownVersion: 3, lostClosings })
  await write((tables) => tables.baseRecords.put([closedWeek(1, '2026-W46')]))
  await coldStart(context())
  // Those that a reset lost earlier still are.
  expect(await metaNow()).toMatchObject({ lostClosings })
})

test('[D7.41] a week that a history reset lost is reported, together with those lost before', async () => {
  await changeMeta({ isHistoryReset: true, lostClosings: { weeks: ['2026-W40'], days: [] } })
  const weeks = [closedWeek(1, '2026-W46'), closedWeek(2, '2026-W47'), closedWeek(3, '2026-W39')]
  await write((tables) => tables.baseRecords.put([...weeks, { ...closedWeek(4, ''), record: null }]))
  page.changes = { closed_weeks: [{ ...record(2), week: '2026-W47' }] }
  await coldStart(context())
  expect(await metaNow()).toMatchObject({ lostClosings: { weeks: ['2026-W39', '2026-W40', '2026-W46'], days: [] } })
})

test('[D7.41] a lost week stands for its days, whichever reset lost them', async () => {
  const day = (number: number, date: string): BaseRecord => ({
    ...base(number, { kind: 'closed_days' }),
    record: { ...record(number), date },
  })
  await changeMeta({ isHistoryReset: true, lostClosings: { weeks: ['2026-W40'], days: ['2026-11-09', '2026-11-16'] } })
  const lost = [
    closedWeek(1, '2026-W46'),
    day(2, '2026-09-28'),
    day(3, '2026-11-10'),
    day(4, '2026-11-17'),
    day(5, '2026-11-02'),
  ]
  await write((tables) => tables.baseRecords.put(lost))
  await coldStart(context())
  const lostClosings = { weeks: ['2026-W40', '2026-W46'], days: ['2026-11-02', '2026-11-16', '2026-11-17'] }
  expect(await metaNow()).toMatchObject({ lostClosings })
})

test.each([
  ['ends below a known version', { knownVersion: 6 }, []],
  ['has a record at a version that was pulled without it', { knownVersion: 3 }, [record(2)]],
  ['has a record at the last version that was pulled', { knownVersion: 3 }, [{ ...record(2), version: 3 }]],
  ['has an earlier version of a record than was pulled', { knownVersion: 3 }, [{ ...record(3), version: 2 }]],
] as const)('[D7.61] after a 410, a snapshot that %s reveals a history reset', async (_, meta, entries) => {
  await changeMeta({ ...meta, position: { version: 3, tag: 'three' } })
  await write((tables) => tables.baseRecords.put([base(1, { record: null }), base(3)]))
  page.changes = { entries: [...entries] }
  await coldStart(context())
  // Only after a reset, deletions that were pulled are offered.
  expect(await offers()).toContainEqual([id(1), undefined])
})

test('[D7.61] [D7.32] after a 410, a snapshot of the same history reveals none, whatever has changed', async () => {
  await changeMeta({ position: { version: 3, tag: 'three' }, knownVersion: 3 })
  await write((tables) =>
    tables.baseRecords.put([base(1, { record: null }), base(2), base(3), base(4, { unconfirmed: true })]),
  )
  page.changes = { entries: [record(2), { ...record(3), version: 5 }, { ...record(4), version: 3 }] }
  await coldStart(context())
  expect(await offers()).toEqual([])
  expect((await contents(store)).baseRecords.map(({ version }) => version)).toEqual([1, 2, 5, 3])
})

test('[D7.32] a deletion that no pull has confirmed is offered, and one that a pull has confirmed is not', async () => {
  await changeMeta({ position: { version: 3, tag: 'three' }, knownVersion: 4 })
  await write((tables) =>
    tables.baseRecords.put([base(3, { record: null }), base(4, { record: null, unconfirmed: true })]),
  )
  await coldStart(context())
  expect(await offers()).toEqual([[id(4), undefined]])
})

test('[D7.31] [D7.56] a cold start keeps what the device knows of itself and of the service', async () => {
  const known = {
    offsetMs: 7,
    syncedAtMs: 8,
    kinds: 'entries',
    divergence: { foundAtMs: 9, isHealed: false },
  }
  await changeMeta(known)
  const { device } = await metaNow()
  await coldStart(context())
  expect(await metaNow()).toMatchObject({ ...known, device })
})

test('[D7.26] a result that is newer than the snapshot stays, and needs no offer', async () => {
  await changeMeta({ position: { version: 3, tag: 'three' }, knownVersion: 3 })
  meanwhile = async () => {
    await write((tables) => tables.baseRecords.put([base(6, { unconfirmed: true })]))
    await changeMeta({ knownVersion: 6 })
  }
  await coldStart(context())
  expect(await offers()).toEqual([])
  expect(await contents(store)).toMatchObject({
    baseRecords: [base(6, { unconfirmed: true })],
    meta: { knownVersion: 6, position: { version: 5 } },
  })
})

test('[D7.29] after a history reset, newer results are of the other history: they are offered', async () => {
  await changeMeta({ position: { version: 3, tag: 'three' }, knownVersion: 6, isHistoryReset: true })
  await write((tables) => tables.baseRecords.put([base(6, { unconfirmed: true })]))
  await coldStart(context())
  expect(await offers()).toEqual([[id(6), 'record 6']])
  expect(await contents(store)).toMatchObject({ baseRecords: [], meta: { knownVersion: 5, isHistoryReset: false } })
})

test('[D7.26] of a record, the snapshot may have a later state than a write result', async () => {
  await changeMeta({ position: { version: 3, tag: 'three' }, knownVersion: 3 })
  await write((tables) => tables.baseRecords.put([base(6, { unconfirmed: true })]))
  page.changes = { entries: [{ ...record(6), version: 7, note: 'newer' }] }
  await coldStart(context())
  expect((await contents(store)).baseRecords).toMatchObject([{ version: 7, record: { note: 'newer' } }])
})

test('[D7.29] [D7.33] what the snapshot lacks or has earlier is queued once, with a new number', async () => {
  await changeMeta({ position: null, seq: 8 })
  await write((tables) =>
    tables.baseRecords.put([base(1), base(2, { updatedAt: LATER }), base(3), base(4), closedWeek(5, '2026-W46')]),
  )
  page.changes = { entries: [record(2), record(3), { ...record(4), updated_at: LATER }] }
  for (let round = 0; round < 2; round += 1) {
    await coldStart(context())
    expect(await contents(store)).toMatchObject({
      outbox: [
        { id: id(1), content: { note: 'record 1' }, updatedAt: SERVER_TIME, seq: 9 },
        { id: id(2), content: { note: 'record 2' }, updatedAt: LATER, seq: 10 },
      ],
      meta: { seq: 10 },
    })
  }
})

test('[D7.33] a change after a cold start has a higher number than its offers, and replaces none of them', async () => {
  await changeMeta({ position: null, seq: 8 })
  await write((tables) => tables.baseRecords.put([base(1), base(2)]))
  await coldStart(context())
  await write(async (tables) => {
    await queueMutation(tables, { kind: 'entries', id: id(3), content: { note: 'record 3' } }, NOW_MS)
  })
  expect((await contents(store)).outbox.map(({ id, seq, place }) => [id, seq, place])).toEqual([
    [id(1), 9, 9],
    [id(2), 10, 10],
    [id(3), 11, 11],
  ])
})

test('[D7.28] [D7.29] a record that this program cannot read is offered and never shown', async () => {
  await changeMeta({ position: null })
  await write((tables) => tables.baseRecords.put([base(1, { isUnreadable: true }), base(2)]))
  await coldStart(context())
  const { outbox } = await contents(store)
  expect(outbox).toMatchObject([1, 2].map((n) => ({ id: id(n), content: { note: `record ${n}` } })))
  expect(outbox.map((row) => showRecord(undefined, row)?.record.id)).toEqual([undefined, id(2)])
  page = { results: [1, 2].map((n) => ({ status: 'applied', id: id(n), version: n, updated_at: SERVER_TIME })) }
  expect(await pushOnce(context(), FULL_BATCH)).toEqual({ outcome: 'sent' })
  const { baseRecords } = await contents(store)
  expect(baseRecords.map((row) => showRecord(row, undefined)?.record.id)).toEqual([undefined, id(2)])
})

test('[D7.29] [D7.21] a later unsent change is sent before an offer, and an earlier one has lost', async () => {
  await changeMeta({ offsetMs: HOUR_MS })
  await write(async (tables) => {
    await tables.baseRecords.put([base(1), base(2)])
    await tables.outbox.put([
      { ...outboxRow(1), updatedAt: LATER },
      { ...outboxRow(2), updatedAt: EARLIER },
    ])
  })
  await coldStart(context())
  const { outbox, conflicts } = await contents(store)
  expect(outbox).toMatchObject([
    { content: { note: 'edit 1' }, updatedAt: LATER, offer: { updatedAt: SERVER_TIME } },
    { content: { note: 'record 2' }, updatedAt: SERVER_TIME, offer: { updatedAt: SERVER_TIME } },
  ])
  expect(conflicts).toMatchObject([
    { mine: { content: { note: 'edit 2' } }, theirs: { id: id(2) }, detectedAtMs: NOW_MS + HOUR_MS },
  ])
})

test('[D7.29] [D7.21] an offer that a later state of its record overtakes is no conflict', async () => {
  const { kind, content, updatedAt, seq } = outboxRow(1)
  await write(async (tables) => {
    await tables.baseRecords.put([base(1)])
    await tables.outbox.put([{ ...outboxRow(1), offer: { kind, id: id(1), content, updatedAt, seq } }])
  })
  await coldStart(context())
  expect(await contents(store)).toMatchObject({
    outbox: [{ content: { note: 'record 1' }, updatedAt: SERVER_TIME }],
    conflicts: [],
  })
})

test('[D7.20] [D7.21] rejections and conflicts have the time of the service, whatever this device says', async () => {
  await changeMeta({ offsetMs: HOUR_MS })
  const rows = [outboxRow(1), outboxRow(2)]
  const problem = problemOf('invalid_record', 'The change cannot be stored.')
  const current = base(2, { version: 9, updatedAt: LATER })
  await write(async (tables) => {
    await tables.outbox.put(rows)
    const settlement = await settleRow(tables, rows[0] as OutboxRow, { outcome: 'rejected', problem }, NOW_MS)
    await keepRejected(tables, [settlement], NOW_MS)
    await settleRow(tables, rows[1] as OutboxRow, { outcome: 'perhapsSuperseded', current }, NOW_MS)
  })
  const { rejectedChanges, conflicts } = await contents(store)
  expect(rejectedChanges).toMatchObject([{ rejectedAtMs: NOW_MS + HOUR_MS }])
  expect(conflicts).toMatchObject([{ detectedAtMs: NOW_MS + HOUR_MS }])
})

test('[D7.29] the answer to an offer shows no history reset, though the snapshot lacked the record', async () => {
  await write((tables) => tables.baseRecords.put([base(2)]))
  await coldStart(context())
  page = { results: [{ status: 'unchanged', id: id(2), version: 2, updated_at: SERVER_TIME }] }
  expect(await pushOnce(context(), FULL_BATCH)).toEqual({ outcome: 'sent' })
  expect(await contents(store)).toMatchObject({
    baseRecords: [{ id: id(2), version: 2, unconfirmed: false }],
    outbox: [],
    meta: { isHistoryReset: false },
  })
})

test('[D7.27] a record that is written twice before a pull remembers its state at the last pull', async () => {
  await changeMeta({ position: { version: 5, tag: 'five' } })
  await write((tables) => tables.baseRecords.put([base(2)]))
  for (const version of [6, 7]) {
    const sent = { ...outboxRow(2), generation: 1 }
    await write(async (tables) => {
      await tables.outbox.put([sent])
      await settleRow(tables, sent, { outcome: 'accepted', current: base(2, { version, updatedAt: LATER }) }, NOW_MS)
    })
  }
  expect(await contents(store)).toMatchObject({
    baseRecords: [{ version: 7, unconfirmed: true, lastPulled: { version: 2 } }],
  })
})

test('[D5.4] [D7.56] a sync is complete with the last page, and not before', async () => {
  await changeMeta({ position: { version: 3, tag: 'three' }, knownVersion: 3 })
  page.has_more = true
  page.since_tag = 'three'
  expect(await pullOnce(context())).toEqual({ outcome: 'pulledPage' })
  expect(await metaNow()).toMatchObject({ position: { version: 5, tag: 'five' }, syncedAtMs: null })
  page.since_tag = 'five'
  page.has_more = false
  expect(await pullOnce(context())).toMatchObject({ outcome: 'pulledAll' })
  expect(await metaNow()).toMatchObject({ syncedAtMs: NOW_MS })
})

test('[D7.36] [D7.38] a page that announces more is not judged by its end', async () => {
  await changeMeta({ position: { version: 3, tag: 'five' }, knownVersion: 9 })
  await write((tables) => tables.baseRecords.put([base(4, { unconfirmed: true })]))
  page.has_more = true
  expect(await pullOnce(context())).toEqual({ outcome: 'pulledPage' })
})

test('[D7.3] the service told its time in the middle of the request', async () => {
  await changeMeta({ position: { version: 3, tag: 'five' }, knownVersion: 3 })
  let nowMs = NOW_MS
  meanwhile = async () => {
    nowMs += 10_000
  }
  await pullOnce({ ...context(), now: () => nowMs })
  expect(await metaNow()).toMatchObject({ offsetMs: -5_000 })
})

test('[D7.36] a pull that ends at the version of an unconfirmed record and lacks it reveals a reset', async () => {
  await changeMeta({ position: { version: 3, tag: 'five' }, knownVersion: 5 })
  await write((tables) => tables.baseRecords.put([base(5, { unconfirmed: true })]))
  expect(await pullOnce(context())).toEqual({ outcome: 'historyReset' })
})

test('[D7.36] [D7.38] a pull that ends before a record that was written meanwhile reveals nothing', async () => {
  await changeMeta({ position: { version: 3, tag: 'five' }, knownVersion: 5 })
  meanwhile = async () => {
    await write((tables) => tables.baseRecords.put([base(6, { unconfirmed: true })]))
    await changeMeta({ knownVersion: 6 })
  }
  expect(await pullOnce(context())).toMatchObject({ outcome: 'pulledAll' })
  expect(await metaNow()).toMatchObject({ position: { version: 5 }, knownVersion: 6 })
})

test('[D7.38] a pull that ends below the version of an earlier one reveals a reset', async () => {
  await changeMeta({ position: { version: 3, tag: 'five' }, knownVersion: 3 })
  await pullOnce(context())
  page.version = 4
  expect(await pullOnce(context())).toEqual({ outcome: 'historyReset' })
})

test('[D7.25] a page of a pull that another tab has overtaken changes nothing', async () => {
  await changeMeta({ position: { version: 3, tag: 'five' }, knownVersion: 3 })
  page.changes = { entries: [record(4)] }
  meanwhile = () => changeMeta({ position: { version: 9, tag: 'nine' }, knownVersion: 9 })
  expect(await pullOnce(context())).toMatchObject({ outcome: 'pulledAll' })
  expect(await contents(store)).toMatchObject({
    baseRecords: [],
    meta: { position: { version: 9, tag: 'nine' }, syncedAtMs: null },
  })
})

test('[D7.38] a pull that ends below the version of a write result reveals a reset, also after a restart', async () => {
  await changeMeta({ position: { version: 3, tag: 'five' }, knownVersion: 3 })
  const row = outboxRow(1)
  await write(async (tables) => {
    await tables.outbox.put([row])
    await settleRow(tables, row, { outcome: 'accepted', current: base(6, { id: row.id, unconfirmed: true }) }, NOW_MS)
  })
  expect((await metaNow()).knownVersion).toBe(6)
  expect(await pullOnce(context())).toEqual({ outcome: 'historyReset' })
})

test('[D7.30] of a record that the snapshot has, no tombstone of this device stays', async () => {
  await write((tables) =>
    tables.baseRecords.put([
      base(2, { record: null, updatedAt: EARLIER }),
      base(3, { record: null, updatedAt: LATER }),
      base(4, { record: null }),
    ]),
  )
  page.changes = { entries: [record(2), record(3)] }
  await coldStart(context())
  const { baseRecords } = await contents(store)
  const notes = baseRecords.map(({ id, record }) => [id, record?.note])
  expect(notes).toEqual([
    [id(2), 'record 2'],
    [id(3), 'record 3'],
    [id(4), undefined],
  ])
})

test.each([
  ['the pending change', '2026-11-22T10:00:00.000Z', '2026-11-22T09:00:00.000Z', '2026-11-22T10:00:00.001Z'],
  ['a record pulled later', '2026-11-22T09:00:00.000Z', '2026-11-22T10:00:00.000Z', '2026-11-22T10:00:00.001Z'],
] as const)('[D7.3] a mutation is later than %s, even if the clock is not', async (_, unsentAt, pulledAt, expected) => {
  const row = await store.write(async (tables) => {
    await tables.baseRecords.put([base(1, { updatedAt: pulledAt })])
    await tables.outbox.put([{ ...outboxRow(1), updatedAt: unsentAt }])
    return (await queueMutation(tables, { kind: 'entries', id: id(1), content: null }, NOW_MS)).row
  })
  expect(row?.updatedAt).toBe(expected)
})

test('[D10.7] records of an ordinary cold start are compared with the next sync, also within a day', async () => {
  await changeMeta({ comparedAtMs: NOW_MS })
  await coldStart(context())
  expect(await metaNow()).toMatchObject({ comparedAtMs: null })
})

test.each([400, 413, 422])('[D7.18] a push that is rejected with %i is narrowed', async (status) => {
  await write((tables) => tables.outbox.put([outboxRow(1)]))
  const problem = problemOf('invalid_request', 'No.')
  const transport = async () => ({ outcome: 'rejected', status, problem, headers: new Headers() }) as const
  expect(await pushOnce({ ...context(), transport }, FULL_BATCH)).toMatchObject({ outcome: 'batchRejected', problem })
})

test('[D7.17] the end of a request without a result leaves a row alone that another request carries', async () => {
  const sent = { ...outboxRow(1), generation: 1, sender: 'tab' }
  const again = { ...sent, generation: 2, sender: 'other' }
  await write((tables) => tables.outbox.put([again]))
  await write((tables) => releaseRow(tables, sent))
  expect((await contents(store)).outbox).toEqual([again])
  // An edit during the request stays.
  const edited = { ...again, content: { note: 'edited' }, updatedAt: LATER } as const
  await write((tables) => tables.outbox.put([edited]))
  await write((tables) => releaseRow(tables, again))
  expect((await contents(store)).outbox).toEqual([{ ...edited, sender: null }])
})

test('[D7.19] failures of the service count for one push: a push that works in between forgets them', async () => {
  const large = (number: number) => outboxRow(number, { note: 'x'.repeat(60_000) })
  await write((tables) => tables.outbox.put([large(1), large(2)]))
  const problem = { ...problemOf('internal', 'No.'), status: 500 }
  const replies = [500, 500, 200, 500, 200]
  const transport = async () => {
    if (replies.shift() === 500) return { outcome: 'retryable', retryAfterMs: 0, problem } as const
    const [sent] = (await contents(store)).outbox
    const results = [{ status: 'applied', id: sent?.id, version: 6, updated_at: sent?.updatedAt }]
    return {
      outcome: 'ok',
      status: 200,
      body: { server_time: SERVER_TIME, results },
      headers: new Headers(),
    } as const
  }
  const steps = new SyncSteps({ ...context(), transport })
  const events: unknown[] = []
  for (let step = 1; step <= 5; step += 1) events.push(await steps.run('pushing'))
  expect(events).toEqual(['failed', 'failed', 'pushedSome', 'failed', 'pushedSome'])
  expect(await contents(store)).toMatchObject({ outbox: [], rejectedChanges: [] })
})

/** Returns a context whose service answers the paths of requests in turn. */
function answering(...bodies: JsonObject[]) {
  const paths: string[] = []
  const transport = async ({ path }: ServiceRequest) => {
    paths.push(path)
    const body = { ...page, server_time: SERVER_TIME, ...(bodies.length > 1 ? bodies.shift() : bodies[0]) }
    return { outcome: 'ok', status: 200, body, headers: new Headers() } as const
  }
  return { paths, context: { ...context(), transport } }
}

test('[D5.8] a cold start reads a snapshot in the largest pages, and replaces the copy with all of them', async () => {
  await write((tables) => tables.baseRecords.put([base(9)]))
  const { paths, context } = answering(
    { cursor: 'a+b', has_more: true, changes: { entries: [record(1)] } },
    { cursor: 'c', has_more: true, changes: { entries: [record(2)] } },
    { changes: { entries: [record(3)] } },
  )
  expect(await coldStart(context)).toEqual({ outcome: 'coldStarted' })
  const { baseRecords, meta } = await contents(store)
  expect(baseRecords.map(({ id }) => id)).toEqual([id(1), id(2), id(3)])
  expect(meta.position).toEqual({ version: 5, tag: 'five' })
  const path = '/api/sync/pull?limit=10000'
  expect(paths).toEqual([path, `${path}&cursor=a%2Bb`, `${path}&cursor=c`])
})

test('[D5.8] a snapshot that brings the same page again and again is given up, and the copy stays', async () => {
  await write((tables) => tables.baseRecords.put([base(9)]))
  const { paths, context } = answering({ cursor: 'a', has_more: true, changes: { entries: [record(1)] } })
  expect(await coldStart(context)).toMatchObject({ outcome: 'retryable' })
  expect(paths).toHaveLength(2)
  expect(await contents(store)).toMatchObject({ baseRecords: [base(9)], outbox: [] })
})

test('[D7.32] [D7.38] after a history reset, only the times of tombstones count, not their versions', async () => {
  await changeMeta({ isHistoryReset: true, knownVersion: 9 })
  await write((tables) => tables.baseRecords.put([base(9, { record: null, unconfirmed: true })]))
  await coldStart(context())
  expect(await contents(store)).toMatchObject({
    baseRecords: [{ id: id(9), record: null, version: 0, updatedAt: SERVER_TIME, unconfirmed: false }],
    meta: { knownVersion: 5 },
  })
})

test('[R5.5] only 410 leads a pull to a cold start; another refusal is an error', async () => {
  await changeMeta({ position: { version: 3, tag: 'five' }, knownVersion: 3 })
  const refusing = (status: number) => {
    const problem = { ...problemOf('invalid_request', 'No.'), status }
    const transport = async () => ({ outcome: 'rejected', status, problem, headers: new Headers() }) as const
    return pullOnce({ ...context(), transport })
  }
  expect(await refusing(410)).toEqual({ outcome: 'snapshotNeeded' })
  for (const status of [400, 403, 404]) expect(await refusing(status)).toMatchObject({ outcome: 'rejected', status })
})

test('[D7.13] rows that another living tab is sending do not hold up those after them', async () => {
  await write((tables) =>
    tables.outbox.put([
      { ...outboxRow(1), generation: 1, sender: 'other' },
      { ...outboxRow(2), sender: 'other' },
      { ...outboxRow(3), generation: 1, sender: 'gone' },
    ]),
  )
  page = { results: [{ status: 'applied', id: id(3), version: 6, updated_at: SERVER_TIME }] }
  const livingTabs = async () => new Set(['other', 'third'])
  expect(await pushOnce({ ...context(), livingTabs }, { ...FULL_BATCH, maxChanges: 1 })).toEqual({ outcome: 'sent' })
  expect((await contents(store)).outbox.map(({ id }) => id)).toEqual([id(1), id(2)])
})

test('[D7.40] a push result that contradicts the base record settles nothing', async () => {
  await changeMeta({ position: { version: 5, tag: 'five' }, knownVersion: 5 })
  await write(async (tables) => {
    await tables.baseRecords.put([base(3, { updatedAt: EARLIER })])
    await tables.outbox.put([outboxRow(3)])
  })
  page = { results: [{ status: 'applied', id: id(3), version: 2, updated_at: LATER }] }
  expect(await pushOnce(context(), FULL_BATCH)).toEqual({ outcome: 'historyReset' })
  expect(await contents(store)).toMatchObject({
    baseRecords: [{ version: 3 }],
    outbox: [{ id: id(3) }],
    meta: { isHistoryReset: true },
  })
})

test.each([
  ['push', (at: ReturnType<typeof context>) => pushOnce(at, FULL_BATCH)],
  ['pull', pullOnce],
])('[D7.4] a %s of more than 60 s, or less than nothing, leaves the clock’s offset', async (_, exchange) => {
  await changeMeta({ position: { version: 3, tag: 'five' }, knownVersion: 3, offsetMs: 7 })
  page = { ...page, results: [{ status: 'applied', id: id(1), version: 4, updated_at: SERVER_TIME }] }
  const offsetAfter = async (tookMs: number) => {
    await write((tables) => tables.outbox.put([outboxRow(1)]))
    let nowMs = NOW_MS
    meanwhile = async () => {
      nowMs += tookMs
    }
    await exchange({ ...context(), now: () => nowMs })
    return (await metaNow()).offsetMs
  }
  expect(await offsetAfter(60_001)).toBe(7)
  expect(await offsetAfter(-1)).toBe(7)
  expect(await offsetAfter(60_000)).toBe(-30_000)
})

test('[D7.17] a push whose rows another tab has sent again waits, and is no error', async () => {
  await write((tables) => tables.outbox.put([outboxRow(1)]))
  page = { results: [{ status: 'applied', id: id(1), version: 6, updated_at: SERVER_TIME }] }
  meanwhile = () => write((tables) => tables.outbox.put([{ ...outboxRow(1), generation: 2 }]))
  const steps = new SyncSteps(context())
  expect(await steps.run('pushing')).toBe('failed')
  expect(steps.lastError).toBeNull()
})

test('[D7.18] a change that the service rejects as a whole push is rejected at once when it is alone', async () => {
  await write((tables) => tables.outbox.put([outboxRow(1)]))
  const problem = problemOf('invalid_request', 'No.')
  const transport = async () => ({ outcome: 'rejected', status: 400, problem, headers: new Headers() }) as const
  const steps = new SyncSteps({ ...context(), transport })
  expect(await steps.run('pushing')).toBe('pushedSome')
  expect(await contents(store)).toMatchObject({ outbox: [], rejectedChanges: [{ change: { id: id(1) }, problem }] })
})

test('[D7.56] a defect that nobody handles is the last error', () => {
  const steps = new SyncSteps(context())
  steps.noteDefect(new Error('the disk is on fire'))
  expect(steps.lastError).toEqual({ code: 'defect', detail: 'Error: the disk is on fire' })
})
