import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startTestService, type TestService } from '../harness.ts'
import { create, newId, push, resourceOf, resources, timeOf } from './resources.ts'

const RETENTION_MS = 30 * 86_400_000

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

const page = async (limit: number, cursor?: string) =>
  (await call('GET', `/api/sync/pull?limit=${limit}${cursor === undefined ? '' : `&cursor=${cursor}`}`)).body

async function fill(count: number): Promise<{ id: string }[]> {
  const made = []
  for (let n = 0; n < count; n += 1) made.push(await create(call, entries, { ...entries.content, n }))
  return made
}

test('[D5] without since, pull answers a snapshot of all live records, tombstones left out', async () => {
  expect(await page(10)).toEqual({
    version: 0,
    tag: null,
    has_more: false,
    cursor: null,
    server_time: timeOf(service),
    changes: {},
    deleted: {},
  })
  const made = []
  for (const resource of resources) made.push(await create(call, resource, resource.content))
  await call('POST', '/api/closed-weeks', { json: { week: '2026-W46' } })
  await call('DELETE', `/api/entries/${(await create(call, entries, entries.content)).id}`)
  const { changes, deleted, version, has_more } = await page(10_000)
  expect(deleted).toEqual({})
  expect(has_more).toBe(false)
  expect(version).toBe(3 + 8 + 2)
  for (const { kind } of resources) expect(changes[kind]).toEqual([made[resources.findIndex((r) => r.kind === kind)]])
  expect(changes.closed_days).toHaveLength(7)
  expect(changes.closed_weeks).toHaveLength(1)
})

test('[D5] every page carries the version and tag of the start; what changes meanwhile comes with the next since', async () => {
  const made = await fill(9)
  const ids = made.map(({ id }) => id).sort()
  const first = await page(3)
  expect(first).toMatchObject({ version: 9, has_more: true })
  const seen: string[] = first.changes.entries.map(({ id }: { id: string }) => id)
  expect(seen).toEqual(ids.slice(0, 3))

  await call('DELETE', `/api/entries/${ids[1]}`)
  await call('DELETE', `/api/entries/${ids[4]}`)
  await call('PUT', `/api/entries/${ids[8]}`, { json: { ...entries.content, late: true } })
  const extra = await create(call, entries, entries.content)

  let cursor: string | null = first.cursor
  while (cursor !== null) {
    const next = await page(3, cursor)
    expect([next.version, next.tag]).toEqual([first.version, first.tag])
    seen.push(...next.changes.entries.map(({ id }: { id: string }) => id))
    cursor = next.cursor
    expect(next.has_more).toBe(cursor !== null)
  }
  const untouched = ids.filter((id) => id !== ids[4])
  expect(seen.filter((id) => id !== extra.id)).toEqual(untouched)
  const behind = (await call('GET', `/api/sync/pull?since=${first.version}`)).body
  expect(behind.since_tag).toBe(first.tag)
  expect(behind.deleted.entries.map(({ id }: { id: string }) => id).sort()).toEqual([ids[1], ids[4]].sort())
  expect(behind.changes.entries.map(({ id }: { id: string }) => id).sort()).toEqual([ids[8], extra.id].sort())
})

test('[D5] a cursor that is no cursor of this history is 400 invalid_cursor: begin again', async () => {
  await fill(3)
  const mine = (await page(1)).cursor
  expect((await page(1, mine)).has_more).toBe(true)
  const other = await service.user()
  await create(other.call, entries, entries.content)
  await create(other.call, entries, entries.content)
  await create(other.call, entries, entries.content)
  const forged = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const [version, tag, kind, id] = JSON.parse(Buffer.from(mine, 'base64url').toString())
  const wrong = [
    '',
    'x',
    '%00',
    '%ff%fe',
    'null',
    forged(null),
    forged({}),
    forged([]),
    forged([version, tag]),
    forged([version, 'another', kind, id]),
    forged([version + 1, tag, kind, id]),
    forged([version - 1, tag, kind, id]),
    forged([-1, null, kind, id]),
    forged([1e300, null, kind, id]),
    forged([0, null, kind, id]),
    forged([version + 1, null, kind, id]),
    forged([version, tag, '_pruned', id]),
    forged([version, tag, kind, 7]),
    forged([version, tag, kind, '\0']),
    forged([version, tag, kind, { toString: 'x' }]),
  ]
  for (const cursor of wrong) {
    const { status, body } = await call('GET', `/api/sync/pull?cursor=${cursor}`)
    expect(status, cursor).toBe(400)
    expect(body.code).toBe('invalid_cursor')
  }
  const { status, body } = await other.call('GET', `/api/sync/pull?cursor=${mine}`)
  expect([status, body.code]).toEqual([400, 'invalid_cursor'])
})

test('[D5] a cursor is good until its version is pruned, exactly', async () => {
  await fill(3)
  const { cursor } = await page(1)
  service.clock.advance(1)
  await fill(1)
  service.clock.advance(RETENTION_MS)
  // The marker stands at the snapshot's version: one can pull on from there.
  expect((await page(2, cursor)).version).toBe(3)
  service.clock.advance(1)
  const { status, body } = await call('GET', `/api/sync/pull?cursor=${cursor}`)
  expect([status, body.code]).toEqual([400, 'invalid_cursor'])
  expect(await page(100)).toMatchObject({ version: 4, has_more: false })
})

test('[D5] a page has at most limit records, and the default takes 5,000', async () => {
  for (let n = 0; n < 6; n += 1) {
    const changes = Array.from({ length: n === 5 ? 1 : 1_000 }, () => ({
      kind: 'entries',
      op: 'upsert',
      record: { kind: 'sick', date: '2026-11-20', id: newId(), updated_at: timeOf(service) },
    }))
    await push(call, changes)
  }
  for (const query of ['', '?since=0']) {
    const { body } = await call('GET', `/api/sync/pull${query}`)
    expect(body.changes.entries).toHaveLength(5_000)
    expect(body.has_more).toBe(true)
  }
  const { body } = await call('GET', '/api/sync/pull?limit=5001')
  expect(new Set(body.changes.entries.map(({ id }: { id: string }) => id)).size).toBe(5_001)
  expect(body.has_more).toBe(false)
})

test('[D5] a page of large records ends below its limit, and all of them come in the end', async () => {
  const text = 'x'.repeat(10_000)
  const records = Array.from({ length: 1_100 }, () => {
    return { kind: 'sick', date: '2026-11-20', id: newId(), updated_at: timeOf(service), large: text }
  })
  for (let at = 0; at < records.length; at += 400) {
    const changes = records.slice(at, at + 400).map((record) => ({ kind: 'entries', op: 'upsert', record }))
    await push(call, changes)
  }
  const ids = records.map(({ id }) => id).toSorted()
  const follow = async (next: (body: { cursor: string; version: number }) => string) => {
    const seen: string[] = []
    for (let query = next({ cursor: '', version: 0 }), more = true; more; ) {
      const { body } = await call('GET', `/api/sync/pull?limit=10000${query}`)
      expect(body.changes.entries.length).toBeLessThan(ids.length)
      seen.push(...body.changes.entries.map(({ id }: { id: string }) => id))
      more = body.has_more
      query = next(body)
    }
    return seen.toSorted()
  }
  expect(await follow(({ cursor }) => (cursor ? `&cursor=${cursor}` : ''))).toEqual(ids)
  expect(await follow(({ version }) => `&since=${version}`)).toEqual(ids)
})
