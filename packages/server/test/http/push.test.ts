import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestService, type TestService } from '../harness.ts'
import { counterOf, create, newId, push, resourceOf, resources, timeOf } from './resources.ts'

const HOUR_MS = 3_600_000

let service: TestService
let call: TestService['call']
beforeAll(async () => {
  service = await startTestService()
})
beforeEach(async () => {
  call = (await service.user()).call
})
afterAll(() => service.close())

const entries = resourceOf('entries')

function upsert(id: string, offsetMs: number, content: object = entries.content, kind: string = 'entries') {
  return { kind, op: 'upsert', record: { ...content, id, updated_at: timeOf(service, offsetMs) } }
}

function deletion(id: string, offsetMs: number, kind: string = 'entries') {
  return { kind, op: 'delete', id, updated_at: timeOf(service, offsetMs) }
}

describe.each(resources)('$kind', ({ kind, path, content, other }) => {
  test('[R3.7] [R3.8] [R3.10] [R2.5] an upsert creates or replaces by id, and the later updated_at wins', async () => {
    const id = newId()
    const [created] = await push(call, [upsert(id, -HOUR_MS, content, kind)])
    expect(created).toEqual({ kind, id, status: 'applied', version: 1, updated_at: timeOf(service, -HOUR_MS) })
    const first = (await call('GET', `${path}/${id}`)).body
    expect(first).toMatchObject({ ...content, id, created_at: timeOf(service), version: 1 })

    const [early] = await push(call, [upsert(id, -HOUR_MS - 1, other, kind)])
    const standing = { kind, id, version: 1, updated_at: first.updated_at, record: first }
    expect(early).toEqual({ ...standing, status: 'superseded' })

    const [late] = await push(call, [upsert(id, -HOUR_MS + 1, other, kind)])
    expect(late).toEqual({ kind, id, status: 'applied', version: 2, updated_at: timeOf(service, 1 - HOUR_MS) })
    const second = (await call('GET', `${path}/${id}`)).body
    expect(second).toMatchObject({ ...other, id, created_at: first.created_at, version: 2 })
    expect(await counterOf(call)).toBe(2)
  })

  test('[D6] equal times keep what is stored: the same content is unchanged, another superseded', async () => {
    const id = newId()
    await push(call, [upsert(id, 0, content, kind)])
    const standing = { kind, id, version: 1, updated_at: timeOf(service) }
    const record = (await call('GET', `${path}/${id}`)).body
    expect(await push(call, [upsert(id, 0, content, kind)])).toEqual([{ ...standing, status: 'unchanged' }])
    // The same in other words: order of keys, defaults left out or filled in, what the service keeps.
    const { updated_at, ...rest } = record
    const reordered = Object.fromEntries(Object.entries({ ...rest, created_at: 'x', version: 99 }).reverse())
    expect(await push(call, [upsert(id, 0, reordered, kind)])).toEqual([{ ...standing, status: 'unchanged' }])
    const changed = [{ status: 'superseded', ...standing, record }]
    expect(await push(call, [upsert(id, 0, other, kind)])).toEqual(changed)
    expect(await push(call, [upsert(id, 0, { ...content, unknown: 1 }, kind)])).toEqual(changed)
    expect(await push(call, [deletion(id, 0, kind)])).toEqual(changed)
    expect(await counterOf(call)).toBe(1)
  })

  test('[D2] [D6] a delete competes by its time; the loser of a deletion learns of the tombstone', async () => {
    const id = newId()
    await push(call, [upsert(id, 0, content, kind)])
    expect((await push(call, [deletion(id, -1, kind)]))[0].status).toBe('superseded')
    const tombstone = { kind, id, version: 2, updated_at: timeOf(service, 1) }
    expect(await push(call, [deletion(id, 1, kind)])).toEqual([{ ...tombstone, status: 'applied' }])
    expect(await push(call, [deletion(id, 1, kind)])).toEqual([{ ...tombstone, status: 'unchanged' }])
    const beaten = [{ ...tombstone, status: 'superseded', deleted: true }]
    expect(await push(call, [upsert(id, 1, content, kind)])).toEqual(beaten)
    expect(await push(call, [upsert(id, 0, content, kind)])).toEqual(beaten)
    expect(await push(call, [deletion(id, 0, kind)])).toEqual(beaten)
    expect((await call('GET', `${path}/${id}`)).status).toBe(404)

    expect((await push(call, [upsert(id, 2, other, kind)]))[0]).toMatchObject({ status: 'applied', version: 3 })
    const revived = (await call('GET', `${path}/${id}`)).body
    expect(revived).toMatchObject({ ...other, updated_at: timeOf(service, 2), version: 3 })
  })

  test('[D2] a delete of an unknown id stores a tombstone, which pull delivers', async () => {
    const id = newId()
    const tombstone = { id, version: 1, updated_at: timeOf(service, -5) }
    expect(await push(call, [deletion(id, -5, kind)])).toEqual([{ kind, ...tombstone, status: 'applied' }])
    expect((await call('GET', '/api/sync/pull?since=0')).body).toMatchObject({
      version: 1,
      changes: {},
      deleted: { [kind]: [tombstone] },
    })
    expect((await push(call, [upsert(id, -6, content, kind)]))[0]).toMatchObject({
      status: 'superseded',
      deleted: true,
    })
  })
})

test('[D6] the same record several times in one push: each meets what came before it, the losers learn what now stands', async () => {
  const [id, other] = [newId(), newId()]
  const results = await push(call, [
    upsert(id, 1, { ...entries.content, note: 'a' }),
    upsert(id, 3, { ...entries.content, note: 'b' }),
    upsert(id, 2, { ...entries.content, note: 'c' }),
    upsert(other, 0),
    upsert(id, 3, { ...entries.content, note: 'b' }),
    deletion(id, 4),
    upsert(id, 4, { ...entries.content, note: 'd' }),
    upsert(id, 5, { ...entries.content, note: 'e' }),
  ])
  expect(results.map(({ status, version }: { status: string; version: number }) => [status, version])).toEqual([
    ['applied', 1],
    ['applied', 2],
    ['superseded', 5],
    ['applied', 3],
    ['unchanged', 5],
    ['applied', 4],
    ['superseded', 5],
    ['applied', 5],
  ])
  for (const { record } of [results[2], results[6]]) expect(record).toMatchObject({ id, note: 'e', version: 5 })
  const { body } = await call('GET', '/api/sync/pull?since=0')
  expect(body.version).toBe(5)
  expect(body.changes.entries.map(({ version }: { version: number }) => version)).toEqual([3, 5])
  expect(body.changes.entries[1]).toMatchObject({ note: 'e' })
  expect(body.deleted).toEqual({})
})

test('[D6] one id of several kinds names several records', async () => {
  const id = newId()
  const results = await push(
    call,
    resources.map(({ kind, content }) => upsert(id, 0, content, kind)),
  )
  expect(results.map(({ status }: { status: string }) => status)).toEqual(['applied', 'applied', 'applied'])
  for (const { path, content } of resources) expect((await call('GET', `${path}/${id}`)).body).toMatchObject(content)
})

test('[R1.3] [R3.9] changes to closed_days and closed_weeks are skipped', async () => {
  await create(call, resourceOf('settings_history'), resourceOf('settings_history').content)
  const closed = (await call('POST', '/api/closed-weeks', { json: { week: '2026-W45' } })).body
  const [day] = (await call('GET', '/api/closed-days')).body.items
  const counter = await counterOf(call)
  const later = timeOf(service, 50_000)
  const results = await push(call, [
    { kind: 'closed_weeks', op: 'upsert', seq: 1, record: { ...closed, delta_ms: 0, updated_at: later } },
    { kind: 'closed_days', op: 'delete', id: day.id, updated_at: later },
    { kind: 'closed_days', op: 'frobnicate' },
    { kind: 'closed_weeks' },
  ])
  expect(results).toEqual([
    { kind: 'closed_weeks', id: closed.id, status: 'skipped' },
    { kind: 'closed_days', id: day.id, status: 'skipped' },
    { kind: 'closed_days', id: null, status: 'skipped' },
    { kind: 'closed_weeks', id: null, status: 'skipped' },
  ])
  expect(await counterOf(call)).toBe(counter)
  expect((await call('GET', '/api/closed-weeks/2026-W45')).body).toEqual(closed)
  expect((await call('GET', `/api/closed-days/${day.date}`)).body).toEqual(day)
})

test('[D6] a bad change is rejected with its problem and pointer, and its neighbours are applied, in order', async () => {
  const id = newId()
  const bad: [unknown, { kind: string | null; id: string | null; pointer: string }][] = [
    [null, { kind: null, id: null, pointer: '' }],
    ['x', { kind: null, id: null, pointer: '' }],
    [[], { kind: null, id: null, pointer: '' }],
    [{}, { kind: null, id: null, pointer: '/kind' }],
    [
      { kind: 'holidays', op: 'upsert', record: { id } },
      { kind: 'holidays', id, pointer: '/kind' },
    ],
    [
      { kind: '__proto__', op: 'upsert' },
      { kind: '__proto__', id: null, pointer: '/kind' },
    ],
    [
      { kind: '_pruned', op: 'delete', id },
      { kind: '_pruned', id, pointer: '/kind' },
    ],
    [
      { kind: '\ud800', op: 'upsert' },
      { kind: null, id: null, pointer: '/kind' },
    ],
    [{ kind: 'entries' }, { kind: 'entries', id: null, pointer: '/op' }],
    [
      { kind: 'entries', op: 'UPSERT' },
      { kind: 'entries', id: null, pointer: '/op' },
    ],
    [
      { kind: 'entries', op: 'upsert', id },
      { kind: 'entries', id, pointer: '/record' },
    ],
    [
      { kind: 'entries', op: 'upsert', record: [] },
      { kind: 'entries', id: null, pointer: '/record' },
    ],
    [upsert('NOT-A-UUID', 0), { kind: 'entries', id: 'NOT-A-UUID', pointer: '/record/id' }],
    [upsert('\udfff', 0), { kind: 'entries', id: null, pointer: '/record/id' }],
    [
      { ...upsert(id, 0), seq: -1 },
      { kind: 'entries', id, pointer: '/seq' },
    ],
    [
      { ...upsert(id, 0), seq: '1' },
      { kind: 'entries', id, pointer: '/seq' },
    ],
    [
      { ...upsert(id, 0), seq: 2 ** 53 },
      { kind: 'entries', id, pointer: '/seq' },
    ],
    [
      { kind: 'entries', op: 'upsert', record: { ...entries.content, id } },
      { kind: 'entries', id, pointer: '/record/updated_at' },
    ],
    [
      { ...deletion(id, 0), updated_at: '2026-02-30T00:00:00Z' },
      { kind: 'entries', id, pointer: '/updated_at' },
    ],
    [
      { ...deletion(id, 0), id: null },
      { kind: 'entries', id: null, pointer: '/id' },
    ],
    [upsert(id, 0, { kind: 'work' }), { kind: 'entries', id, pointer: '/record/started_at' }],
    [upsert(id, 0, { ...entries.content, note: 'a\ud83d' }), { kind: 'entries', id, pointer: '/record/note' }],
    [upsert(id, 0, { ...entries.content, note: 'a\0' }), { kind: 'entries', id, pointer: '/record/note' }],
    [upsert(id, 0, { ...entries.content, kind: 'siesta' }), { kind: 'entries', id, pointer: '/record/kind' }],
    [upsert(id, 0, { ...entries.content, x: 2 ** 53 }), { kind: 'entries', id, pointer: '/record/x' }],
    [
      upsert(id, 0, { ...entries.content, ended_at: '2026-11-20T07:59:59.999Z' }),
      { kind: 'entries', id, pointer: '/record/ended_at' },
    ],
    [upsert(id, 0, { ...entries.content, x: 'x'.repeat(65_536) }), { kind: 'entries', id, pointer: '/record' }],
  ]
  const good = bad.map(() => newId())
  const changes = bad.flatMap(([change], index) => [change, upsert(good[index] ?? '', index)])
  const { status, body } = await call('POST', '/api/sync/push', { json: { changes } })
  expect(status).toBe(200)
  expect(body.results).toHaveLength(changes.length)
  for (const [index, [change, expected]] of bad.entries()) {
    const rejected = body.results[2 * index]
    const { pointer, ...named } = expected
    expect(rejected, JSON.stringify(change)).toMatchObject({ ...named, status: 'rejected' })
    expect(rejected.problem).toMatchObject({ status: 422, code: 'invalid_record' })
    expect(rejected.problem.errors[0].pointer, JSON.stringify(change)).toBe(pointer)
    expect(body.results[2 * index + 1]).toMatchObject({ id: good[index], status: 'applied', version: index + 1 })
  }
  expect(body.version).toBe(bad.length)
  expect(await counterOf(call)).toBe(bad.length)
})

test('[D6] the whole push again is harmless, in any part and any order', async () => {
  const device = newId()
  const ids = Array.from({ length: 10 }, newId)
  const changes = ids.flatMap((id, n) => {
    const { kind, content, other } = resources[n % resources.length] ?? entries
    const seq = 3 * n
    return [
      { ...upsert(id, -n, content, kind), seq },
      // Some are claims of a clock that is hours ahead.
      { ...upsert(id, n % 2 === 0 ? HOUR_MS + n : n, other, kind), seq: seq + 1 },
      ...(n % 5 === 4 ? [{ ...deletion(id, 2 * HOUR_MS, kind), seq: seq + 2 }] : []),
    ]
  })
  const first = await push(call, changes, device)
  expect(first.every(({ status }: { status: string }) => status === 'applied')).toBe(true)
  const state = (await call('GET', '/api/sync/pull?since=0')).body
  for (const laterMs of [0, 3 * HOUR_MS]) {
    service.clock.advance(laterMs)
    for (const part of [changes, changes.toReversed(), changes.slice(4, 9), changes.slice(-1)]) {
      const again = await push(call, part, device)
      const statuses = new Set(again.map(({ status }: { status: string }) => status))
      expect(statuses.isSubsetOf(new Set(['unchanged', 'superseded']))).toBe(true)
    }
    const { changes: now, deleted, version } = (await call('GET', '/api/sync/pull?since=0')).body
    expect({ now, deleted, version }).toEqual({ now: state.changes, deleted: state.deleted, version: state.version })
  }
})

test('[D6] a claim is told in the result, competes as it is and is clamped behind what was stored', async () => {
  const id = newId()
  const device = newId()
  const [near] = await push(call, [upsert(id, 60_000)], device)
  expect(near.updated_at).toBe(timeOf(service, 60_000))
  const [claim] = await push(call, [{ ...upsert(id, 60_001, entries.other), seq: 1 }], device)
  expect(claim).toMatchObject({ status: 'applied', updated_at: timeOf(service, 60_001) })
  const fresh = newId()
  const [stamped] = await push(call, [{ ...upsert(fresh, 9 * HOUR_MS), seq: 2 }], device)
  expect(stamped).toMatchObject({ status: 'applied', updated_at: timeOf(service) })
  // Of another device, the same seq is another edit.
  const [others] = await push(call, [{ ...upsert(fresh, 9 * HOUR_MS, entries.other), seq: 2 }], newId())
  expect(others).toMatchObject({ status: 'applied', updated_at: timeOf(service, 1) })
})

test('[D6] simple programs leave out device and seq; a claim of theirs is clamped too', async () => {
  const id = newId()
  const { body } = await call('POST', '/api/sync/push', { json: { changes: [upsert(id, 5 * HOUR_MS)] } })
  expect(body).toMatchObject({ version: 1, server_time: timeOf(service) })
  expect(body.results[0]).toMatchObject({ status: 'applied', updated_at: timeOf(service) })
})

test('[D8] in push an id of another user is a record of one’s own', async () => {
  const theirs = await service.user()
  const id = newId()
  await push(call, [upsert(id, 10, { ...entries.content, note: 'mine' })])
  const [result] = await push(theirs.call, [upsert(id, 0, { ...entries.content, note: 'theirs' })])
  expect(result).toMatchObject({ status: 'applied', version: 1 })
  await push(theirs.call, [deletion(id, 20)])
  expect((await call('GET', `/api/entries/${id}`)).body).toMatchObject({ note: 'mine', version: 1 })
})

test('[D6] 1,000 changes and 4 MiB are accepted, one more of either is 413 and stores nothing', async () => {
  const ids = Array.from({ length: 1_001 }, newId)
  const changes = ids.map((id) => upsert(id, 0))
  const tooMany = await call('POST', '/api/sync/push', { json: { changes } })
  expect(tooMany.status).toBe(413)
  expect(tooMany.body.code).toBe('payload_too_large')
  expect(await counterOf(call)).toBe(0)
  const { body } = await call('POST', '/api/sync/push', { json: { changes: changes.slice(0, 1_000) } })
  expect(body.version).toBe(1_000)
  expect(body.results.map(({ version }: { version: number }) => version)).toEqual(ids.slice(0, -1).map((_, n) => n + 1))

  const max = 4 * 1024 * 1024
  const text = JSON.stringify({ changes: changes.slice(1_000) })
  const exactly = await call('POST', '/api/sync/push', { raw: text.padEnd(max, ' ') })
  expect(exactly.status).toBe(200)
  const more = await call('POST', '/api/sync/push', { raw: text.padEnd(max + 1, ' ') })
  expect(more.status).toBe(413)
  expect(await counterOf(call)).toBe(1_001)
})

test('[D6] an empty push answers with the version; a wrong envelope is refused whole', async () => {
  await push(call, [upsert(newId(), 0)])
  const { body } = await call('POST', '/api/sync/push', { json: { changes: [] } })
  expect(body).toEqual({ version: 1, server_time: timeOf(service), results: [] })
  for (const [json, pointer] of [
    [{}, '/changes'],
    [{ changes: null }, '/changes'],
    [{ changes: { 0: upsert(newId(), 0), length: 1 } }, '/changes'],
    [{ changes: [upsert(newId(), 0)], device: 'laptop' }, '/device'],
    [{ changes: [upsert(newId(), 0)], device: null }, '/device'],
    [[upsert(newId(), 0)], '/changes'],
    ['changes', ''],
    [null, ''],
  ] as const) {
    const refused = await call('POST', '/api/sync/push', { json })
    expect(refused.status, JSON.stringify(json)).toBe(400)
    expect(refused.body.errors[0].pointer, JSON.stringify(json)).toBe(pointer)
  }
  expect(await counterOf(call)).toBe(1)
})

test('[R1.4] [D1] adjustments whose sum would leave the exact range are rejected, over REST and in a push', async () => {
  const adjustments = resourceOf('balance_adjustments')
  const of = (delta_ms: number) => ({ ...adjustments.content, delta_ms })
  const half = 2 ** 51
  const kept = await create(call, adjustments, of(half))
  await create(call, adjustments, of(-half))
  for (const delta_ms of [1, -1, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]) {
    const { status, body } = await call('POST', adjustments.path, { json: of(delta_ms) })
    expect(status).toBe(422)
    expect(body.errors[0].pointer).toBe('/delta_ms')
  }
  const put = await call('PUT', `${adjustments.path}/${kept.id}`, { json: of(half + 1) })
  expect(put.status).toBe(422)
  const [bad, good] = await push(call, [
    upsert(newId(), 0, of(7), 'balance_adjustments'),
    upsert(kept.id, 1, of(half - 1), 'balance_adjustments'),
  ])
  expect(bad).toMatchObject({ status: 'rejected', problem: { errors: [{ pointer: '/record/delta_ms' }] } })
  expect(good.status).toBe('applied')
  const [room, none] = await push(call, [
    upsert(newId(), 0, of(1), 'balance_adjustments'),
    upsert(newId(), 0, of(1), 'balance_adjustments'),
  ])
  expect([room.status, none.status]).toEqual(['applied', 'rejected'])
  const { body } = await call('GET', '/api/balance')
  expect(body).toMatchObject({ adjustments_delta_ms: 0, balance_ms: 0 })
})

test('[D1] [D4] writes that wait together have outcomes of their own: some are refused, the others take consecutive versions', async () => {
  const adjustments = resourceOf('balance_adjustments')
  const answers = await Promise.all(
    Array.from({ length: 12 }, () =>
      call('POST', adjustments.path, { json: { ...adjustments.content, delta_ms: 2 ** 50 } }),
    ),
  )
  const made = answers.filter(({ status }) => status === 201)
  expect(made.map(({ body }) => body.version).sort()).toEqual([1, 2, 3, 4])
  expect(answers.filter(({ status }) => status === 422)).toHaveLength(8)
  const { body } = await call('GET', '/api/balance')
  expect(body.adjustments_delta_ms).toBe(2 ** 52)
})
