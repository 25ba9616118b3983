import { DigestSum, type Digests, type JsonObject, type RecordKind } from '@saldo/core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService } from '../harness.ts'
import { create, resourceOf } from './resources.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

const settings = resourceOf('settings_history')
const adjustments = resourceOf('balance_adjustments')
type Call = TestService['call']

async function digestOfSnapshot(call: Call): Promise<Digests> {
  const { body } = await call('GET', '/api/sync/pull')
  const sum = new DigestSum()
  for (const [kind, records] of Object.entries<JsonObject[]>(body.changes)) {
    for (const record of records) sum.add(kind as RecordKind, record)
  }
  return sum.digests()
}

/** What the digests of a user say, after a look that they are right. */
async function requireRight(call: Call): Promise<Digests> {
  const { status, body } = await call('GET', '/api/sync/digest')
  expect(status).toBe(200)
  const { version, tag } = (await call('GET', '/api/sync/pull')).body
  expect(body).toEqual({ version, tag, kinds: await digestOfSnapshot(call) })
  return body.kinds
}

test('[D10] [D3] digests follow REST, closing, recomputing and reopening', async () => {
  const { call } = await service.user()
  expect((await requireRight(call)).entries).toEqual({ count: 0, digest: '0000000000000000' })
  await create(call, settings, { ...settings.content, effective_from: '2026-11-02' })
  const made = await create(call, adjustments, adjustments.content)
  const before = await requireRight(call)
  await call('POST', '/api/closed-weeks', { json: { week: '2026-W45' } })
  expect(await requireRight(call)).toMatchObject({ closed_days: { count: 7 }, closed_weeks: { count: 1 } })
  await call('POST', '/api/entries', { json: { kind: 'vacation', date: '2026-11-03' } })
  expect((await requireRight(call)).entries.count).toBe(1)
  await call('DELETE', '/api/closed-weeks/2026-W45')
  const { items } = (await call('GET', '/api/entries')).body
  await call('DELETE', `/api/entries/${items[0].id}`)
  expect(await requireRight(call)).toEqual(before)
  await call('DELETE', `/api/balance/adjustments/${made.id}`)
  expect((await requireRight(call)).balance_adjustments.count).toBe(0)
})

test('[D10] [D8] they are of one user alone, who is signed in', async () => {
  const [ada, ben] = [await service.user(), await service.user()]
  await create(ada.call, adjustments, adjustments.content)
  expect((await requireRight(ada.call)).balance_adjustments.count).toBe(1)
  expect((await requireRight(ben.call)).balance_adjustments.count).toBe(0)
  expect((await service.call('GET', '/api/sync/digest')).status).toBe(401)
})
