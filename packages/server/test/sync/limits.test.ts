import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { DAY_MS, instantOf, type PushResult } from '@saldo/core'
import { beforeEach, expect, test } from 'vitest'
import { push } from '../../src/sync/push.ts'
import { openTemporary } from '../store/temporary.ts'

const DAY = '2026-01-15'

let send: (...changes: object[]) => Promise<PushResult[]>
/** Stores records whatever their number, as a migration does. */
let bring: (...changes: ReturnType<typeof settings | typeof adjustment>[]) => Promise<void>
beforeEach(async () => {
  const { records, users, clock } = await openTemporary()
  const added = await users.add({ email: 'a@example.com', passwordHash: 'none', at: '2026-02-02T12:00:00.000Z' })
  assert(added.outcome === 'added')
  send = async (...changes) => {
    clock.advance(1_000)
    const updated_at = instantOf(clock.now())
    const stamped = changes.map((change) => ({
      kind: 'entries',
      op: 'upsert',
      ...change,
      ...stamp(change, updated_at),
    }))
    const context = { user: added.user, nowMs: clock.now(), quotaBytes: Number.POSITIVE_INFINITY }
    return (await push(records, { device: undefined, entriesOnly: false, changes: stamped }, context)).results
  }
  bring = async (...changes) => {
    const updatedAt = instantOf(clock.now())
    await records.write(added.user, async (writer) => {
      const stored = changes.map(({ kind, record }) => ({
        kind,
        id: record.id,
        updatedAt,
        deleted: false,
        fields: { ...record, updated_at: updatedAt, created_at: updatedAt },
        claims: {},
      }))
      await writer.put(stored)
    })
  }
})

function stamp(change: { record?: object }, updated_at: string): object {
  return change.record ? { record: { ...change.record, updated_at } } : { updated_at }
}

const settings = (index: number) => ({
  kind: 'settings_history' as const,
  record: {
    id: randomUUID(),
    effective_from: instantOf(Date.parse(DAY) + index * DAY_MS).slice(0, 10),
    time_zone: 'UTC',
    target_ms: Array(7).fill(0),
  },
})
const entry = (started_at: string, id: string = randomUUID()) => ({
  record: { id, kind: 'work', started_at, ended_at: started_at },
})
const absence = (kind: string, date = DAY) => ({ record: { id: randomUUID(), kind, date } })
const running = (hour: number) => ({
  record: { id: randomUUID(), kind: 'work', started_at: instantOf(Date.parse(DAY) + hour * 3_600_000) },
})
const adjustment = (index: number) => {
  const effective_date = instantOf(Date.parse(DAY) + (index % 9) * DAY_MS).slice(0, 10)
  return {
    kind: 'balance_adjustments' as const,
    record: { id: randomUUID(), effective_date, delta_ms: 1, kind: 'correction', reason: 'r' },
  }
}
const statusesOf = (results: PushResult[]) => results.map(({ status }) => status)

test('[D2.30] the 501st settings row of a user is refused, until one is deleted; edits are not', async () => {
  const rows = Array.from({ length: 500 }, (_, index) => settings(index))
  expect(new Set(statusesOf(await send(...rows)))).toEqual(new Set(['applied']))
  const [refused] = await send(settings(500))
  expect(refused?.problem?.errors).toEqual([
    { pointer: '/record', detail: 'must not be beyond 500 settings rows: delete some first' },
  ])
  const [first] = rows
  expect(statusesOf(await send({ ...first, record: { ...first?.record, note: 'edited' } }))).toEqual(['applied'])
  const gone = { kind: 'settings_history', op: 'delete', id: first?.record.id }
  expect(statusesOf(await send(settings(501), gone, settings(502), settings(503)))).toEqual([
    'rejected',
    'applied',
    'applied',
    'rejected',
  ])
})

test('[D2.30] a user whose older database had more rows can edit and delete them, and not add to them', async () => {
  const rows = Array.from({ length: 502 }, (_, index) => settings(index))
  await bring(...rows)
  const [first, second] = rows
  const edit = { ...first, record: { ...first?.record, note: 'edited' } }
  const gone = { kind: 'settings_history', op: 'delete', id: second?.record.id }
  expect(statusesOf(await send(edit, settings(502), gone, settings(503)))).toEqual([
    'applied',
    'rejected',
    'applied',
    'rejected',
  ])
})

test('[D2.31] the 1,001st entry that begins on one UTC day is refused, and its neighbours are applied', async () => {
  const entries = Array.from({ length: 999 }, () => entry(`${DAY}T23:59:59.999Z`))
  expect(new Set(statusesOf(await send(...entries)))).toEqual(new Set(['applied']))
  const results = await send(absence('sick'), entry(`${DAY}T00:00:00Z`), entry('2026-01-14T23:59:59.999Z'))
  expect(statusesOf(results)).toEqual(['applied', 'rejected', 'applied'])
  expect(results[1]?.problem?.errors).toEqual([
    { pointer: '/record', detail: 'must not be beyond 1000 entries that begin on one day (UTC)' },
  ])
  // One that moves to another day makes room; one that stays on its day needs none.
  const id = entries[0]?.record.id
  expect(statusesOf(await send(entry(`${DAY}T01:00:00Z`, id)))).toEqual(['applied'])
  expect(statusesOf(await send(entry('2026-01-16T00:00:00Z', id), entry(`${DAY}T02:00:00Z`)))).toEqual([
    'applied',
    'applied',
  ])
  expect(
    statusesOf(await send(entry(`${DAY}T03:00:00Z`), { ...entry(''), op: 'delete', record: undefined, id })),
  ).toEqual(['rejected', 'applied'])
  // One that comes from another day finds no room.
  const late = randomUUID()
  expect(statusesOf(await send(entry('2026-01-17T00:00:00Z', late)))).toEqual(['applied'])
  expect(statusesOf(await send(entry(`${DAY}T04:00:00Z`, late)))).toEqual(['rejected'])
})

test('[D2.40] the 10,001st adjustment of a user is refused, until one is deleted; edits are not', async () => {
  const adjustments = Array.from({ length: 10_000 }, (_, index) => adjustment(index))
  await bring(...adjustments)
  const [first] = adjustments
  const edit = { ...first, record: { ...first?.record, reason: 'edited', delta_ms: 2 } }
  const gone = { kind: 'balance_adjustments', op: 'delete', id: first?.record.id }
  const results = await send(adjustment(0), edit)
  expect(statusesOf(results)).toEqual(['rejected', 'applied'])
  expect(statusesOf(await send(gone, adjustment(0), adjustment(0)))).toEqual(['applied', 'applied', 'rejected'])
  const [error] = results[0]?.problem?.errors ?? []
  expect(error).toEqual({ pointer: '/record', detail: 'must not be beyond 10000 adjustments: delete some first' })
})

test('[D2.41] the 101st running entry of a user is refused, until one is stopped', async () => {
  const entries = Array.from({ length: 100 }, (_, index) => running(index))
  expect(new Set(statusesOf(await send(...entries)))).toEqual(new Set(['applied']))
  const [first] = entries
  const stopped = { record: { ...first?.record, ended_at: `${DAY}T09:00:00Z` } }
  const results = await send(running(200), { record: { ...first?.record, note: 'edited' } })
  expect(statusesOf(results)).toEqual(['rejected', 'applied'])
  expect(statusesOf(await send(stopped, running(200)))).toEqual(['applied', 'applied'])
  const [error] = results[0]?.problem?.errors ?? []
  expect(error).toEqual({ pointer: '/record', detail: 'must not be beyond 100 running entries: stop some first' })
  // One that ran longest runs again.
  expect(statusesOf(await send({ record: { ...first?.record, ended_at: null } }))).toEqual(['rejected'])
})

test('[D2.42] the 51st absence or grant on a date is refused, and so is work that becomes one', async () => {
  const grant = (date: string) => ({ record: { id: randomUUID(), kind: 'vacation_grant', date, days: 1 } })
  const entries = Array.from({ length: 49 }, () => absence('vacation'))
  expect(new Set(statusesOf(await send(...entries, grant(DAY))))).toEqual(new Set(['applied']))
  const work = entry(`${DAY}T08:00:00Z`)
  const becomes = { record: { ...absence('sick').record, id: work.record.id } }
  const results = await send(grant(DAY), grant('2026-01-16'), work)
  expect(statusesOf(results)).toEqual(['rejected', 'applied', 'applied'])
  expect(statusesOf(await send(becomes, { op: 'delete', id: entries[0]?.record.id }))).toEqual(['rejected', 'applied'])
  const [error] = results[0]?.problem?.errors ?? []
  expect(error).toEqual({
    pointer: '/record',
    detail: 'must not be beyond 50 absences and vacation grants on one date',
  })
  expect(statusesOf(await send(becomes))).toEqual(['applied'])
})

test('[D6.2] a push of small changes is refused if the records that they name are too large together', async () => {
  const ids = Array.from({ length: 80 }, () => randomUUID())
  const large = (id: string) => {
    const { record } = entry(`${DAY}T08:00:00.000Z`, id)
    return { record: { ...record, ended_at: `${DAY}T09:00:00.000Z`, x: 'x'.repeat(60_000) } }
  }
  for (let at = 0; at < ids.length; at += 40) await send(...ids.slice(at, at + 40).map(large))
  const deletions = ids.map((id) => ({ op: 'delete', id }))
  await expect(send(...deletions)).rejects.toMatchObject({ code: 'payload_too_large' })
  // The client halves what is refused.
  const halves = [await send(...deletions.slice(0, 40)), await send(...deletions.slice(40))]
  expect(new Set(statusesOf(halves.flat()))).toEqual(new Set(['applied']))
  expect(new Set(statusesOf(await send(...deletions)))).toEqual(new Set(['applied']))
})
