import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startTestService, type TestService } from '../harness.ts'
import { counterOf, create, newId, push, resourceOf, resources, timeOf } from './resources.ts'

const RETENTION_MS = 30 * 86_400_000

let service: TestService
let user: Awaited<ReturnType<TestService['user']>>
let call: TestService['call']
beforeAll(async () => {
  service = await startTestService()
})
beforeEach(async () => {
  user = await service.user()
  call = user.call
})
afterAll(() => service.close())

const adjustments = resourceOf('balance_adjustments')

const make = () => create(call, adjustments, adjustments.content)
const pull = async (query: string) => (await call('GET', `/api/sync/pull?${query}`)).body

interface LogRow {
  version: number
  kind: string
  tag: string
  logged_at: number
}

/** The rows of the user's log as they lie in the database. */
async function logRows(): Promise<LogRow[]> {
  const { driver, close } = await service.openBeside()
  try {
    const query = 'SELECT version, kind, tag, logged_at FROM sync_log WHERE user_id = $1 ORDER BY version'
    return await driver.read((sql) => sql.all<LogRow>(query, [user.user]))
  } finally {
    await close()
  }
}

test('[R3.3] [R3.6] [D5] pull answers what changed behind since, in version order, latest state, each record once', async () => {
  const empty = await pull('since=0')
  expect(empty).toEqual({
    version: 0,
    tag: null,
    since_tag: null,
    has_more: false,
    server_time: timeOf(service),
    changes: {},
    deleted: {},
  })
  const [a, b, c] = [await make(), await make(), await make()]
  const again = (await call('PUT', `${adjustments.path}/${a.id}`, { json: adjustments.other })).body
  await call('DELETE', `${adjustments.path}/${b.id}`)

  const whole = await pull('since=0')
  expect(whole).toMatchObject({ version: 5, has_more: false, since_tag: null })
  expect(whole.changes).toEqual({ balance_adjustments: [c, again] })
  expect(whole.deleted.balance_adjustments).toEqual([{ id: b.id, version: 5, updated_at: expect.any(String) }])

  const part = await pull('since=3')
  expect(part.changes).toEqual({ balance_adjustments: [again] })
  expect(part.deleted).toEqual(whole.deleted)
  expect(part).toMatchObject({ version: 5, tag: whole.tag })
  expect((await pull('since=4')).changes).toEqual({})

  const nothing = await pull('since=5')
  expect(nothing).toMatchObject({ version: 5, tag: whole.tag, since_tag: whole.tag, changes: {}, deleted: {} })
  const ahead = await pull('since=6')
  expect(ahead).toMatchObject({
    version: 5,
    tag: whole.tag,
    since_tag: null,
    has_more: false,
    changes: {},
    deleted: {},
  })
  expect(await pull('since=9007199254740991')).toEqual(ahead)
})

test('[D4] every change takes the next version of its user, whoever else writes at the same time', async () => {
  const others = await service.user()
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      (n % 4 === 0 ? others.call : call)('POST', adjustments.path, { json: adjustments.content }),
    ),
  )
  const versions = answers.filter((_, n) => n % 4 !== 0).map(({ body }) => body.version)
  expect(versions.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 15 }, (_, n) => n + 1))
  expect(await counterOf(others.call)).toBe(5)
})

test('[D4] [R2.6] each log row has its version, the time it was logged, and a random tag', async () => {
  await make()
  service.clock.advance(7)
  await push(call, [
    { kind: 'entries', op: 'delete', id: newId(), updated_at: timeOf(service) },
    { kind: 'settings_history', op: 'delete', id: newId(), updated_at: timeOf(service) },
  ])
  const now = service.clock.now()
  const rows = await logRows()
  expect(rows.map(({ version, kind, logged_at }) => ({ version, kind, logged_at }))).toEqual([
    { version: 1, kind: 'balance_adjustments', logged_at: now - 7 },
    { version: 2, kind: 'entries', logged_at: now },
    { version: 3, kind: 'settings_history', logged_at: now },
  ])
  for (const { tag } of rows) expect(tag.length).toBeGreaterThanOrEqual(8)
  expect(rows[0]?.tag).not.toBe(rows[1]?.tag)
  expect(await pull('since=1')).toMatchObject({ since_tag: rows[0]?.tag, tag: rows[2]?.tag })
})

test('[R3.4] [R4.1] [R4.2] a row of 30 days stays, a millisecond more and pull prunes it and writes the marker', async () => {
  await make()
  service.clock.advance(1)
  await make()
  service.clock.advance(RETENTION_MS - 2)
  expect((await logRows()).map(({ kind }) => kind)).not.toContain('_pruned')
  for (const ageMs of [-1, 0]) {
    expect(await pull('since=0'), String(ageMs)).toMatchObject({ version: 2, has_more: false })
    service.clock.advance(1)
  }
  const tags = (await logRows()).map(({ tag }) => tag)
  expect((await call('GET', '/api/sync/pull?since=0')).status).toBe(410)
  const rows = await logRows()
  expect(rows.map(({ version, kind }) => [version, kind])).toEqual([
    [1, '_pruned'],
    [2, 'balance_adjustments'],
  ])
  expect(rows.map(({ tag }) => tag)).toEqual(tags)
  expect((await pull('since=1')).changes.balance_adjustments).toHaveLength(1)

  service.clock.advance(1)
  const since = await call('GET', '/api/sync/pull?since=1')
  expect(since.status).toBe(410)
  expect((await logRows()).map(({ version, kind }) => [version, kind])).toEqual([[2, '_pruned']])
})

test('[R3.5] [R3.6] since behind the marker is 410 SyncStale, at and ahead of it is answered normally', async () => {
  for (let n = 0; n < 3; n += 1) await make()
  const { tag } = await pull('since=3')
  service.clock.advance(RETENTION_MS + 1)
  for (const since of [0, 1, 2]) {
    const { status, body } = await call('GET', `/api/sync/pull?since=${since}`)
    expect(status).toBe(410)
    expect(body).toMatchObject({ code: 'sync_stale', title: 'SyncStale', status: 410 })
  }
  expect(await pull('since=3')).toMatchObject({ version: 3, tag, since_tag: tag, changes: {} })
  expect(await pull('since=4')).toMatchObject({ version: 3, tag, since_tag: null, changes: {} })
  const made = await make()
  expect(made.version).toBe(4)
  expect((await pull('since=3')).changes).toEqual({ balance_adjustments: [made] })
  expect((await call('GET', '/api/sync/pull?since=2')).status).toBe(410)
})

test('[R3.4] [D5] a snapshot prunes too, never meets the marker, and ends the loop of a client that starts cold', async () => {
  const made = [await make(), await make()]
  await call('DELETE', `${adjustments.path}/${(await make()).id}`)
  service.clock.advance(RETENTION_MS + 1)
  const snapshot = await pull('')
  expect((await logRows()).map(({ version, kind }) => [version, kind])).toEqual([[4, '_pruned']])
  expect((await call('GET', '/api/sync/pull?since=0')).status).toBe(410)
  expect(snapshot).toMatchObject({ version: 4, has_more: false, cursor: null, deleted: {} })
  expect(snapshot.changes.balance_adjustments.toSorted(byVersion)).toEqual(made)
  expect(await pull(`since=${snapshot.version}`)).toMatchObject({ version: 4, since_tag: snapshot.tag, changes: {} })
})

test('[D4] retention is per user: nothing of one user’s log is pruned by another’s pull', async () => {
  await make()
  service.clock.advance(RETENTION_MS + 1)
  const other = await service.user()
  expect((await other.call('GET', '/api/sync/pull?since=0')).status).toBe(200)
  expect((await logRows()).map(({ kind }) => kind)).toEqual(['balance_adjustments'])
})

test('[D4] the marker is never pruned and the counter never goes back', async () => {
  await make()
  service.clock.advance(RETENTION_MS + 1)
  expect(await counterOf(call)).toBe(1)
  service.clock.advance(10 * RETENTION_MS)
  expect(await counterOf(call)).toBe(1)
  expect((await logRows()).map(({ version, kind }) => [version, kind])).toEqual([[1, '_pruned']])
  expect((await make()).version).toBe(2)
  expect((await call('GET', '/api/sync/pull?since=0')).status).toBe(410)
})

test('[D2] [D4] a tombstone outlives the log: an edit of long ago cannot raise the dead', async () => {
  const { id } = await make()
  const before = timeOf(service)
  service.clock.advance(1)
  await call('DELETE', `${adjustments.path}/${id}`)
  service.clock.advance(3 * RETENTION_MS)
  await counterOf(call)
  const record = { ...adjustments.content, id, updated_at: before }
  const [result] = await push(call, [{ kind: 'balance_adjustments', op: 'upsert', record }])
  expect(result).toMatchObject({ status: 'superseded', deleted: true, version: 2 })
})

test('[D5] a since of every wrong kind is 400 invalid_since', async () => {
  const wrong = ['', 'abc', '-1', '-0', '1.0', '1e3', '0x10', '+1', '%201', '1%20', 'null', 'NaN', 'true', '１', '1,2']
  const tooLarge = ['9007199254740992', '9'.repeat(17), '9'.repeat(400)]
  for (const since of [...wrong, ...tooLarge, '__proto__', '%00', '%ff', '[]', "1'--"]) {
    const { status, body } = await call('GET', `/api/sync/pull?since=${since}`)
    expect(status, since).toBe(400)
    expect(body.code).toBe('invalid_since')
    expect(body.errors[0].pointer).toBe('/since')
  }
})

test('[D5] a wrong limit is 400, with since and without', async () => {
  for (const limit of ['0', '10001', '-1', '1.5', 'x', '', '99999999']) {
    for (const query of ['since=0&', '']) {
      const { status, body } = await call('GET', `/api/sync/pull?${query}limit=${limit}`)
      expect(status, limit).toBe(400)
      expect(body.errors[0].pointer).toBe('/limit')
    }
  }
  for (const limit of ['1', '10000']) expect(await pull(`limit=${limit}`)).toMatchObject({ has_more: false })
})

test('[D5] with has_more a client pulls on from the version of the page, and has all at the end', async () => {
  const made = []
  for (const { kind, content } of resources) {
    for (let n = 0; n < 3; n += 1) {
      const record = { ...content, id: newId(), updated_at: timeOf(service, n) }
      made.push({ kind, op: 'upsert', record })
    }
  }
  await push(call, made)
  await push(call, [{ kind: 'entries', op: 'delete', id: made[1]?.record.id, updated_at: timeOf(service, 50) }])
  for (const limit of [1, 2, 4, 8, 9]) {
    const seen: number[] = []
    let since = 0
    let tag: string | null = null
    for (let more = true; more; ) {
      const page = await pull(`since=${since}&limit=${limit}`)
      expect(page.since_tag).toBe(tag)
      const versions = versionsOf(page)
      seen.push(...versions)
      more = page.has_more
      expect(versions.length).toBeLessThanOrEqual(limit)
      if (more) expect([versions.length, page.version]).toEqual([limit, versions.at(-1)])
      since = page.version
      tag = page.tag
    }
    expect(seen).toEqual([1, 3, 4, 5, 6, 7, 8, 9, 10])
    expect(since).toBe(10)
  }
})

test('[D5] every record that pull hands out carries its version, and the answer the service’s time', async () => {
  for (const resource of resources) await create(call, resource, resource.content)
  service.clock.advance(123)
  for (const query of ['', 'since=0']) {
    const { changes, server_time, version } = await pull(query)
    expect(server_time).toBe(timeOf(service))
    const versions = Object.values<{ version: number }[]>(changes).flatMap((list) => list.map((one) => one.version))
    expect(versions.toSorted((a, b) => a - b)).toEqual([1, 2, 3])
    expect(version).toBe(3)
  }
})

const byVersion = (a: { version: number }, b: { version: number }) => a.version - b.version

function versionsOf({ changes, deleted }: { changes: object; deleted: object }): number[] {
  const lists = [...Object.values(changes), ...Object.values(deleted)] as { version: number }[][]
  return lists.flatMap((list) => list.map(({ version }) => version)).sort((a, b) => a - b)
}
