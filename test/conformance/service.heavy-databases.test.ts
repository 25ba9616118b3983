import { type CheckReport, checkService, serviceChecks } from '@saldo/conformance'
import { systemRandom } from '@saldo/server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestService, type TestService } from '../../packages/server/test/harness.ts'
import { heavyTest } from '../../packages/server/test/heavy-test.ts'
import { teamSessions } from './team-sessions.ts'

const service = await startTestService()
const jobs = setInterval(() => void service.service.runDueJobs(), 20)
afterAll(() => {
  clearInterval(jobs)
  return service.close()
})

/** Titles with their rules in brackets, as all tests have them. */
const checks = serviceChecks.map(({ rules, title }) => [rules.map((rule) => `[${rule}]`).join(' '), title] as const)

/** Failures of a report, and records that it could not remove. */
const problemsIn = ({ results, leftovers }: CheckReport) => [
  ...results.filter(({ outcome }) => outcome !== 'passed').map(({ title, detail }) => `${title}: ${detail}`),
  ...leftovers,
]

describe('the contract over HTTP, on one account', () => {
  let user: Awaited<ReturnType<TestService['user']>>
  let other: Awaited<ReturnType<TestService['user']>>
  let team: Awaited<ReturnType<typeof teamSessions>>
  beforeAll(async () => {
    team = await teamSessions(service)
    user = await service.user()
    other = await service.user()
  })

  test.each(checks)('%s %s', async (_, title) => {
    const advanceClock = async (ms: number) => service.clock.advance(ms)
    const accounts = { token: user.token, otherToken: other.token }
    const target = { url: service.url, ...accounts, team, advanceClock, random: systemRandom }
    const report = await checkService(target, { only: title })
    expect(report.results).toHaveLength(1)
    expect(problemsIn(report)).toEqual([])
  })

  test('the checks leave no record and no balance behind', async () => {
    expect((await user.call('GET', '/api/sync/pull')).body.changes).toEqual({})
    expect((await user.call('GET', '/api/balance')).body.balance_ms).toBe(0)
  })
})

heavyTest('on an account in use the checks pass or do not apply, and change nothing', async () => {
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
    'needs a service whose clock can be advanced, or an account with a pruned log',
    'needs a token of a second account',
    'needs an account without records',
    'needs sessions of a company',
  ])
})
