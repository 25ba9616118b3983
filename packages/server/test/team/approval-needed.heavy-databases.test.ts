import { LAST_DATE, type MemberRules, type UserNumber } from '@saldo/core'
import { expect, onTestFinished, test } from 'vitest'
import { startTestService, type TestService } from '../harness.ts'
import { newId, push, timeOf } from '../http/resources.ts'

const RULES: MemberRules = {
  company: 1,
  dates: [{ from: '2026-11-01', to: LAST_DATE }],
  versions: [
    { from: '2026-11-01', ask: ['vacation'], cancelAhead: ['vacation'], managed: [] },
    { from: '2026-12-01', ask: [], cancelAhead: [], managed: [] },
  ],
}

async function startMember() {
  const service = await startTestService()
  onTestFinished(() => service.close())
  const member = await service.user()
  return { service, ...member, setRules: (rules: MemberRules | null) => setRules(service, member.user, rules) }
}

async function setRules(service: TestService, user: UserNumber, rules: MemberRules | null): Promise<void> {
  const stores = await service.openBeside()
  await stores.driver.run('UPDATE counters SET member_rules = $2 WHERE user_id = $1', [
    user,
    rules && JSON.stringify(rules),
  ])
  await stores.close()
}

const vacation = { kind: 'vacation', date: '2026-11-25' }
const upsert = (service: TestService, content: object, id = newId(), afterMs = 0) => ({
  kind: 'entries',
  op: 'upsert',
  record: { ...content, id, updated_at: timeOf(service, afterMs) },
})
const statuses = (results: { status: string; problem?: { code: string } }[]) =>
  results.map(({ status, problem }) => problem?.code ?? status)

test('[D26.9] a push of an absence under ask is rejected as approval_needed, and the rest is applied', async () => {
  const { service, call, setRules } = await startMember()
  const kept = upsert(service, vacation)
  expect(statuses(await push(call, [kept]))).toEqual(['applied'])
  await setRules(RULES)
  const version = (await call('GET', '/api/sync/pull')).body.version
  const work = { kind: 'work', started_at: '2026-11-25T08:00:00.000Z', ended_at: '2026-11-25T12:00:00.000Z' }
  const results = await push(call, [
    upsert(service, vacation),
    upsert(service, work),
    upsert(service, { kind: 'sick', date: '2026-11-25' }),
    upsert(service, { ...vacation, date: '2026-10-30' }),
    // Bringing the source of an approval is no approval.
    upsert(service, { ...vacation, source: 'request' }),
    upsert(service, {
      kind: 'request',
      asks: 'absence',
      absence: 'vacation',
      date: '2026-11-25',
      last_date: '2026-11-27',
    }),
    { kind: 'entries', op: 'delete', id: newId(), updated_at: timeOf(service) },
  ])
  expect(statuses(results)).toEqual([
    'approval_needed',
    'applied',
    'applied',
    'applied',
    'approval_needed',
    'applied',
    'applied',
  ])
  expect(results[0].problem).toMatchObject({ status: 409, detail: expect.stringContaining('request') })
  expect((await call('GET', '/api/sync/pull')).body.version).toBe(version + 5)
})

test('[D26.9] unchanged and superseded changes are answered as without a company', async () => {
  const { service, call, setRules } = await startMember()
  const kept = upsert(service, vacation)
  await push(call, [kept])
  await setRules(RULES)
  const earlier = upsert(service, { ...vacation, date: '2026-11-26' }, kept.record.id, -1_000)
  const note = upsert(service, { ...vacation, note: 'at home' }, kept.record.id, 1)
  const moved = upsert(service, { ...vacation, date: '2026-11-26' }, kept.record.id, 2)
  const deleted = { kind: 'entries', op: 'delete', id: kept.record.id, updated_at: timeOf(service, 3) }
  const results = await push(call, [kept, earlier, note, moved, { kind: 'closed_days', op: 'upsert', record: {} }])
  expect(statuses(results)).toEqual(['unchanged', 'superseded', 'applied', 'approval_needed', 'skipped'])
  // The policy lets it be cancelled while it lies ahead.
  expect(statuses(await push(call, [deleted]))).toEqual(['applied'])
})

test('[D26.9] over REST such a write is answered 409 with what to do instead', async () => {
  const { service, call, setRules } = await startMember()
  const stored = (await call('POST', '/api/entries', { json: { ...vacation, date: '2026-11-20' } })).body
  await setRules(RULES)
  const at = `/api/entries/${stored.id}`
  for (const [method, path, json] of [
    ['POST', '/api/entries', vacation],
    ['PUT', at, { ...vacation, day_share: 0.5 }],
    ['PUT', `/api/entries/${newId()}?updated_at=${timeOf(service)}`, vacation],
    ['DELETE', at, undefined],
  ] as const) {
    const { status, body } = await call(method, path, { json })
    expect([status, body.code], `${method} ${path}`).toEqual([409, 'approval_needed'])
    expect(body.detail).toContain('Record a request')
  }
  expect((await call('PUT', at, { json: { ...vacation, date: '2026-11-20', note: 'sea' } })).status).toBe(200)
  await setRules(null)
  expect((await call('DELETE', at)).status).toBe(204)
})

test('[D26.8] the version of the policy follows the present date in the time zone of the user', async () => {
  const { service, call, setRules } = await startMember()
  const settings = { effective_from: '2026-01-01', time_zone: 'Pacific/Kiritimati', target_ms: [0, 0, 0, 0, 0, 0, 0] }
  expect((await call('POST', '/api/settings', { json: settings })).status).toBe(201)
  await setRules(RULES)
  service.clock.set('2026-11-30T09:59:59.000Z')
  expect((await call('POST', '/api/entries', { json: vacation })).body.code).toBe('approval_needed')
  // Midnight, 14 hours ahead of UTC.
  service.clock.set('2026-11-30T10:00:00.000Z')
  expect((await call('POST', '/api/entries', { json: vacation })).status).toBe(201)
})

test('[D24.1] leaving the company lifts its rules at the next write', async () => {
  const { service, call, setRules } = await startMember()
  await setRules(RULES)
  const asked = upsert(service, vacation)
  expect(statuses(await push(call, [asked]))).toEqual(['approval_needed'])
  await setRules(null)
  expect(statuses(await push(call, [asked]))).toEqual(['applied'])
})
