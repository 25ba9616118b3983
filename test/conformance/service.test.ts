import { checkService, type Report } from '@saldo/conformance'
import { systemRandom } from '@saldo/server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService } from '../../packages/server/test/harness.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

/** What is not as it should be in a report. */
const wrongIn = ({ results, leftovers }: Report) => [
  ...results.filter(({ outcome }) => outcome !== 'passed').map(({ title, detail }) => `${title}: ${detail}`),
  ...leftovers,
]

test('the service keeps the contract, also on an account that was checked before, and nothing is left behind', async () => {
  const [{ token, call }, { token: otherToken }] = [await service.user(), await service.user()]
  const target = { url: service.url, token, otherToken, random: systemRandom }
  const advanceClock = async (ms: number) => service.clock.advance(ms)
  expect(wrongIn(await checkService({ ...target, advanceClock }))).toEqual([])
  expect(wrongIn(await checkService({ ...target, advanceClock }, { only: 'D2' }))).toEqual([])
  expect((await call('GET', '/api/sync/pull')).body.changes).toEqual({})
  expect((await call('GET', '/api/balance')).body.balance_ms).toBe(0)
})

test('it keeps it on an account that is in use, of which nothing changes', async () => {
  const { token, call } = await service.user()
  const target_ms = Array(7).fill(3_600_000)
  await call('POST', '/api/settings', {
    json: { effective_from: '2026-11-02', time_zone: 'Europe/Berlin', target_ms },
  })
  await call('POST', '/api/entries', { json: { kind: 'vacation', date: '2026-11-03' } })
  await call('POST', '/api/closed-weeks', { json: { week: '2026-W45' } })
  const before = (await call('GET', '/api/sync/pull')).body.changes
  const report = await checkService({ url: service.url, token, random: systemRandom })
  expect((await call('GET', '/api/sync/pull')).body.changes).toEqual(before)
  expect(report.results.filter(({ outcome }) => outcome === 'failed')).toEqual([])
  const missing = report.results.filter(({ outcome }) => outcome === 'not_applicable').map(({ detail }) => detail)
  expect([...new Set(missing)].sort()).toEqual([
    'needs a service whose clock can be moved, or an account that was pruned',
    'needs a token of a second account',
    'needs an account without records',
  ])
})
