import { addDays, type JsonObject } from '@saldo/core'
import { beforeEach, expect, test } from 'vitest'
import { serviceOfFile } from '../file-service.ts'
import type { TestService } from '../harness.ts'
import { heavyTest } from '../heavy-test.ts'
import { create, newId, push, resourceOf, timeOf } from './resources.ts'

const RETENTION_MS = 30 * 86_400_000

let call: TestService['call']
const service = await serviceOfFile()
beforeEach(async () => {
  call = (await service.user()).call
})

const entries = resourceOf('entries')

const page = async (limit: number, cursor?: string) =>
  (await call('GET', `/api/sync/pull?limit=${limit}${cursor === undefined ? '' : `&cursor=${cursor}`}`)).body

/** Returns one of many dates, since few absences can have the same (D2.42). */
const dateOf = (n: number) => addDays('2026-11-01', -(n % 5_000))

async function fill(count: number): Promise<{ id: string }[]> {
  const made = []
  for (let n = 0; n < count; n += 1) made.push(await create(call, entries, { ...entries.content, n }))
  return made
}

test('[D5.11] a cursor that was altered or comes from another history is 400 invalid_cursor', async () => {
  await fill(3)
  const mine = (await page(1)).cursor
  expect((await page(1, mine)).has_more).toBe(true)
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
})

test('[D5.11] a cursor is valid until the version of its snapshot is behind the marker', async () => {
  await fill(3)
  const { cursor } = await page(1)
  service.clock.advance(1)
  await fill(1)
  service.clock.advance(RETENTION_MS)
  // The marker is at the snapshot's version, from which a client can pull.
  expect((await page(2, cursor)).version).toBe(3)
  service.clock.advance(1)
  const { status, body } = await call('GET', `/api/sync/pull?cursor=${cursor}`)
  expect([status, body.code]).toEqual([400, 'invalid_cursor'])
  expect(await page(100)).toMatchObject({ version: 4, has_more: false })
})

heavyTest('[D5.3] without a limit, a page has at most 5,000 records', async () => {
  for (let n = 0; n < 6; n += 1) {
    const changes = Array.from({ length: n === 5 ? 1 : 1_000 }, (_, index) => ({
      kind: 'entries',
      op: 'upsert',
      record: { kind: 'sick', date: dateOf(1_000 * n + index), id: newId(), updated_at: timeOf(service) },
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

test('[D5.3] each page but the last has as many records as its limit, whatever that is', async () => {
  const records = Array.from({ length: 450 }, (_, n) => {
    return { kind: 'sick', date: dateOf(n), id: newId(), updated_at: timeOf(service) }
  })
  const changes = records.map((record) => ({ kind: 'entries', op: 'upsert', record }))
  await push(call, changes)
  /** Returns the number of records of each page; `next` is the query of the page after another one. */
  const sizesOf = async (path: string, next: (body: JsonObject) => string | undefined, first = '') => {
    const sizes: number[] = []
    for (let query: string | undefined = first; query !== undefined; ) {
      const { body }: { body: JsonObject & { items?: []; changes: { entries: [] } } } = await call('GET', path + query)
      sizes.push((body.items ?? body.changes.entries).length)
      query = next(body)
    }
    return sizes
  }
  const cursorOf = ({ cursor, next_cursor = cursor }: JsonObject) => {
    return next_cursor === null ? undefined : `&cursor=${next_cursor}`
  }
  const expected = new Map([
    [149, [149, 149, 149, 3]],
    [150, [150, 150, 150]],
    [225, [225, 225]],
    [300, [300, 150]],
    [449, [449, 1]],
    [450, [450]],
    [451, [450]],
  ])
  for (const [limit, sizes] of expected) {
    expect(await sizesOf(`/api/sync/pull?limit=${limit}`, cursorOf), `snapshot by ${limit}`).toEqual(sizes)
    expect(await sizesOf(`/api/entries?limit=${limit}`, cursorOf), `entries by ${limit}`).toEqual(sizes)
    const since = ({ version, has_more }: JsonObject) => (has_more ? `&since=${version}` : undefined)
    expect(await sizesOf(`/api/sync/pull?limit=${limit}`, since, '&since=0'), `changes by ${limit}`).toEqual(sizes)
  }
})

test('[D5.3] a page of large records ends below its limit, and the pages together have all of them', async () => {
  const text = 'x'.repeat(10_000)
  const records = Array.from({ length: 1_100 }, (_, n) => {
    return {
      kind: 'sick',
      date: dateOf(n),
      id: newId(),
      updated_at: timeOf(service),
      large: text,
    }
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
