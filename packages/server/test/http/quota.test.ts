import { expect, onTestFinished, test } from 'vitest'
import { startTestService, type TestService } from '../harness.ts'
import { create, newId, push, resourceOf, timeOf } from './resources.ts'

const entries = resourceOf('entries')
const settings = resourceOf('settings_history')
const QUOTA = 40_000

async function start(): Promise<TestService> {
  const service = await startTestService({ config: { quotaBytes: QUOTA } })
  onTestFinished(() => service.close())
  return service
}

const upsert = (service: TestService, id = newId(), note = '') => ({
  kind: 'entries',
  op: 'upsert',
  record: { ...entries.content, id, updated_at: timeOf(service), note },
})
const deletion = (service: TestService, id: string) => ({
  kind: 'entries',
  op: 'delete',
  id,
  updated_at: timeOf(service, 1_000),
})
const statuses = (results: { status: string; problem?: { code: string } }[]) =>
  results.map(({ status, problem }) => problem?.code ?? status)

/** A user whose storage is full, with the ids of their entries. */
async function fullUser(service: TestService) {
  const user = await service.user()
  const ids: string[] = []
  for (;;) {
    const change = upsert(service, newId(), 'x'.repeat(4_000))
    const [result] = await push(user.call, [change])
    if (result.status === 'rejected') return { ...user, ids, last: change }
    ids.push(change.record.id)
  }
}

test('[D6.22] a full user can only delete: other changes are rejected one by one and store nothing', async () => {
  const service = await start()
  const { call, ids } = await fullUser(service)
  expect(ids.length).toBeGreaterThan(5)
  expect(ids.length).toBeLessThanOrEqual(10)
  const [first = '', second = '', third = ''] = ids
  const before = (await call('GET', '/api/sync/pull')).body
  const results = await push(call, [
    upsert(service),
    {
      ...upsert(service, second, 'shorter'),
      record: { ...upsert(service, second).record, updated_at: timeOf(service, 1) },
    },
    deletion(service, newId()),
    deletion(service, first),
    { kind: 'closed_days', op: 'upsert', record: {} },
    {},
  ])
  expect(statuses(results)).toEqual([
    'quota_exceeded',
    'quota_exceeded',
    'quota_exceeded',
    'applied',
    'skipped',
    'invalid_record',
  ])
  const after = (await call('GET', `/api/sync/pull?since=${before.version}`)).body
  expect(after.version).toBe(before.version + 1)
  expect(after.deleted.entries.map(({ id }: { id: string }) => id)).toEqual([first])
  expect(await push(call, [upsert(service, third, 'x'.repeat(4_000))])).toMatchObject([{ status: 'unchanged' }])
})

test('[D6.22] over REST a full user is answered 507, and deleting gives room', async () => {
  const service = await start()
  const { call, ids, last } = await fullUser(service)
  const other = await service.user()
  const at = `${entries.path}/${ids[0]}`
  for (const [method, path, json] of [
    ['POST', entries.path, entries.content],
    ['PUT', at, entries.other],
    ['PUT', `${entries.path}/${newId()}?updated_at=${timeOf(service)}`, entries.content],
    ['DELETE', `${entries.path}/${newId()}?updated_at=${timeOf(service)}`, undefined],
    ['POST', settings.path, settings.content],
  ] as const) {
    const { status, body } = await call(method, path, { json })
    expect([status, body.code], `${method} ${path}`).toEqual([507, 'quota_exceeded'])
  }
  await create(other.call, entries, entries.content)
  for (const id of ids.slice(0, 2)) expect((await call('DELETE', `${entries.path}/${id}`)).status).toBe(204)
  expect(statuses(await push(call, [last]))).toEqual(['applied'])
  expect(statuses(await push(call, [last]))).toEqual(['unchanged'])
  expect((await call('GET', `${entries.path}/${last.record.id}`)).status).toBe(200)
})

test('[D6.23] a full user can close and reopen, and late deletions still recompute what is closed', async () => {
  const service = await start()
  const { call } = await service.user()
  await create(call, settings, settings.content)
  const worked = await create(call, entries, entries.content)
  while (statuses(await push(call, [upsert(service, newId(), 'x'.repeat(4_000))]))[0] === 'applied');
  expect((await call('POST', '/api/closed-days', { json: { date: '2026-11-20' } })).status).toBe(201)
  const closed = (await call('GET', '/api/closed-days/2026-11-20')).body
  const rest = (await call('GET', '/api/entries')).body.items.filter(({ id }: { id: string }) => id !== worked.id)
  await push(
    call,
    [...rest, worked].map(({ id }: { id: string }) => deletion(service, id)),
  )
  const recomputed = (await call('GET', '/api/closed-days/2026-11-20')).body
  expect([closed.worked_ms, recomputed.worked_ms]).toEqual([4 * 3_600_000, 0])
  expect((await call('DELETE', '/api/closed-days/2026-11-20')).status).toBe(204)
})

test('[D4.20] a restart and a restored backup keep the stored bytes', async () => {
  const service = await start()
  const { call, ids } = await fullUser(service)
  const restore = await service.backUp()
  expect(statuses(await push(call, [upsert(service)]))).toEqual(['quota_exceeded'])
  for (const id of ids.slice(0, 2)) expect((await call('DELETE', `${entries.path}/${id}`)).status).toBe(204)
  expect(statuses(await push(call, [upsert(service)]))).toEqual(['applied'])
  await restore()
  expect(statuses(await push(call, [upsert(service)]))).toEqual(['quota_exceeded'])
})
