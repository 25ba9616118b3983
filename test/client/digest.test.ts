import type { Saldo } from '@saldo/client'
import { DAY_MS, type JsonObject, problemOf } from '@saldo/core'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Harness } from './harness.ts'
import { work } from './healing.ts'

let harness: Harness
let phone: Saldo

beforeEach(async () => {
  harness = await Harness.open()
})
afterEach(() => harness.close())

const notes = async () => (await phone.entries.all().read()).map(({ record }) => record.note).toSorted()
const divergence = async () => (await phone.status.read()).divergence
const add = (note: string) => harness.ask('/api/entries', { ...work('16T08:00', '16T12:00'), note })

const wrong = { entries: { count: 7, digest: 'f'.repeat(16) } }

/** Has the answers with digests be something else. */
function digestsAre(change: (body: JsonObject) => unknown): void {
  harness.change('phone', '/api/sync/digest', (reply) =>
    reply.outcome === 'ok' ? { ...reply, body: change(reply.body as JsonObject) } : reply,
  )
}

/** Returns the requests for a digest and for a snapshot since the last call. */
function requestCounts() {
  const paths = harness.requests.splice(0).map(({ path }) => path)
  const count = (start: string) => paths.filter((path) => path.startsWith(start)).length
  return { digests: count('/api/sync/digest'), snapshots: count('/api/sync/pull?limit') }
}

test('[D10.6] [D10.11] [D10.13] wrong records are found in a day, healed by a cold start, and reported', async () => {
  phone = await harness.device('phone')
  expect(requestCounts()).toEqual({ digests: 1, snapshots: 1 })
  expect(await divergence()).toBeNull()
  for (const note of ['lost', 'right', 'altered']) await add(note)
  harness.rewrite('phone', (_, body) => {
    const entries = body.changes.entries?.filter(({ note }) => note !== 'lost') ?? []
    const changed = entries.map((entry) => (entry.note === 'altered' ? { ...entry, note: 'wrong' } : entry))
    return { ...body, changes: { ...body.changes, entries: changed } }
  })
  await phone.sync()
  harness.rewrite('phone', (_, body) => body)
  const unsent = work('17T08:00', '17T12:00')
  harness.nowMs += DAY_MS - 1
  await phone.sync()
  expect(await notes()).toEqual(['right', 'wrong'])
  expect(requestCounts()).toEqual({ digests: 0, snapshots: 0 })

  harness.nowMs += 1
  harness.cutOff('phone')
  await phone.entries.create({ ...unsent, note: 'unsent' }).settled
  await harness.connect('phone', phone)
  expect(await notes()).toEqual(['altered', 'lost', 'right', 'unsent'])
  expect(requestCounts()).toEqual({ digests: 2, snapshots: 1 })
  expect(await divergence()).toEqual({ foundAtMs: harness.nowMs, isHealed: true })
  expect((await harness.ask('/api/entries')).items).toHaveLength(4)
})

test('[D10.6] a clock that was set back by more than a day does not put off the comparison', async () => {
  harness.nowMs += 7 * DAY_MS
  phone = await harness.device('phone')
  requestCounts()
  harness.nowMs -= 7 * DAY_MS
  await phone.sync()
  expect(requestCounts()).toEqual({ digests: 1, snapshots: 0 })
})

test('[D10.7] records from an ordinary cold start are compared by the sync that follows', async () => {
  phone = await harness.device('phone')
  await add('kept')
  harness.nowMs += 31 * DAY_MS
  let isWrong = true
  harness.rewrite('phone', (_, body) => (isWrong ? { ...body, changes: { ...body.changes, entries: [] } } : body))
  requestCounts()
  await phone.sync()
  isWrong = false
  expect(requestCounts()).toEqual({ digests: 0, snapshots: 1 })
  expect(await notes()).toEqual([])
  await phone.sync()
  expect(requestCounts()).toEqual({ digests: 2, snapshots: 1 })
  expect(await notes()).toEqual(['kept'])
  expect(await divergence()).toEqual({ foundAtMs: harness.nowMs, isHealed: true })
})

test('[D10.12] [D10.13] a cold start that does not help is reported and tried again once a day', async () => {
  let isWrong = true
  digestsAre((body) => (isWrong ? { ...body, kinds: wrong } : body))
  phone = await harness.device('phone')
  const foundAtMs = harness.nowMs
  expect(requestCounts()).toEqual({ digests: 2, snapshots: 2 })
  for (let round = 0; round < 3; round += 1) await phone.sync()
  expect(requestCounts()).toEqual({ digests: 0, snapshots: 0 })
  expect(await divergence()).toEqual({ foundAtMs, isHealed: false })

  harness.nowMs += DAY_MS
  await phone.sync()
  expect(requestCounts()).toEqual({ digests: 2, snapshots: 1 })
  expect(await divergence()).toEqual({ foundAtMs: harness.nowMs, isHealed: false })

  isWrong = false
  harness.nowMs += DAY_MS
  await phone.sync()
  expect(requestCounts()).toEqual({ digests: 1, snapshots: 0 })
  expect(await divergence()).toMatchObject({ isHealed: true })
})

test('[D10.8] a digest of another version is ignored and is requested again with the next sync', async () => {
  let other: unknown
  digestsAre((body) => (typeof other === 'object' ? { ...body, kinds: wrong, ...other } : other))
  phone = await harness.device('phone')
  requestCounts()
  for (other of [undefined, 'text', 5, { version: 9 }, { tag: 'other' }, { kinds: null }]) {
    await phone.sync()
    expect(requestCounts()).toEqual({ digests: 1, snapshots: 0 })
    expect(await divergence()).toBeNull()
  }
  // Kinds that the service does not know are not compared.
  other = { kinds: { later: wrong.entries } }
  await phone.sync()
  await phone.sync()
  expect(requestCounts()).toEqual({ digests: 1, snapshots: 0 })
})

test('[D10.14] a service without digests is asked once a day, and everything else works', async () => {
  const problem = problemOf('not_found', 'There is no such route.')
  harness.change('phone', '/api/sync/digest', () => ({
    outcome: 'rejected',
    status: 404,
    problem,
    headers: new Headers(),
  }))
  phone = await harness.device('phone')
  await add('other')
  await phone.sync()
  expect(requestCounts()).toEqual({ digests: 1, snapshots: 1 })
  expect(await notes()).toEqual(['other'])
  expect(await phone.status.read()).toMatchObject({ state: 'idle', lastError: null, divergence: null })
  harness.nowMs += DAY_MS
  await phone.sync()
  expect(requestCounts()).toEqual({ digests: 1, snapshots: 0 })
})

test('[D10.9] an unsent change during a digest comparison is not a difference', async () => {
  phone = await harness.device('phone')
  await add('stored')
  harness.change('phone', '/api/sync/digest', async (reply) => {
    harness.cutOff('phone')
    await phone.entries.create({ ...work('17T08:00', '17T12:00'), note: 'unsent' }).settled
    return reply
  })
  harness.nowMs += DAY_MS
  requestCounts()
  await phone.sync()
  expect(requestCounts()).toEqual({ digests: 1, snapshots: 0 })
  expect(await phone.status.read()).toMatchObject({ unsent: 1, divergence: null })
  await harness.connect('phone', phone)
  expect(requestCounts()).toEqual({ digests: 0, snapshots: 0 })
  expect(await notes()).toEqual(['stored', 'unsent'])
})

test('[D10.8] a change that the service stores during a digest comparison is not a difference', async () => {
  phone = await harness.device('phone')
  await add('stored')
  harness.change('phone', '/api/sync/digest', async (reply) => {
    await phone.entries.create({ ...work('17T08:00', '17T12:00'), note: 'stored meanwhile' }).settled
    return reply
  })
  harness.nowMs += DAY_MS
  requestCounts()
  await phone.sync()
  expect(requestCounts().snapshots).toBe(0)
  expect(await phone.status.read()).toMatchObject({ unsent: 0, divergence: null })
})

test('[D10.13] a service that answers no digest does not make a known divergence of any kind healed', async () => {
  phone = await harness.device('phone')
  const closed_weeks = { count: 0, digest: 'f'.repeat(16) }
  digestsAre((body) => ({ ...body, kinds: { ...(body.kinds as JsonObject), closed_weeks } }))
  harness.nowMs += DAY_MS
  await phone.sync()
  expect(await divergence()).toMatchObject({ isHealed: false })

  const problem = problemOf('not_found', 'There are no digests.')
  harness.change('phone', '/api/sync/digest', () => ({
    outcome: 'rejected',
    status: 404,
    problem,
    headers: new Headers(),
  }))
  harness.nowMs += DAY_MS
  await phone.sync()
  expect(await divergence()).toMatchObject({ isHealed: false })
})
