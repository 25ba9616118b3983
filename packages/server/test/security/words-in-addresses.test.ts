import { expect, test } from 'vitest'
import { startTestService } from '../harness.ts'
import { signUp } from '../http/browser.ts'

/** Fields of addresses that say which part of an answer is wanted, and nothing that a person wrote. */
const harmless = [
  'after',
  'company',
  'cursor',
  'device',
  'from',
  'group',
  'limit',
  'month',
  'seq',
  'since',
  'to',
  'updated_at',
  'year',
]
/** Sent by a provider, and worth nothing a second time (D20.1). */
const ofProviders = ['code', 'error', 'iss', 'state']

test('[D8.43] no operation takes words, names or addresses of people in its own address', async () => {
  const service = await startTestService()
  const { paths } = (await service.call('GET', '/api/openapi.json')).body
  const parameters = Object.entries<Record<string, { parameters?: { in: string; name: string }[] }>>(paths)
    .flatMap(([path, operations]) => Object.values(operations).map((operation) => ({ path, ...operation })))
    .flatMap(({ path, parameters = [] }) => parameters.map((parameter) => ({ path, ...parameter })))
  const queries = parameters.filter((parameter) => parameter.in === 'query')
  expect(queries.length).toBeGreaterThan(10)
  const isHarmless = ({ path, name }: { path: string; name: string }) =>
    harmless.includes(name) || (path.includes('/oidc/') && ofProviders.includes(name))
  expect(queries.filter((query) => !isHarmless(query)).map(({ path, name }) => `${path}?${name}`)).toEqual([])
  const inPaths = new Set(parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name))
  // The secret of a calendar feed is in its path, since calendars know nothing else (D15.8).
  const known = ['asset', 'date', 'file', 'id', 'month', 'number', 'provider', 'user', 'week']
  expect([...inPaths].toSorted()).toEqual(known)
  await service.close()
})

test('[D8.43] a report is asked for in a body; it is no write, and another site cannot ask for it', async () => {
  const service = await startTestService({ config: { writesPerMinute: 1 } })
  const { token } = await service.user('ada@example.com')
  const range = { from: '2026-11-01', to: '2026-11-30', group: 'project' }
  for (let times = 0; times < 5; times += 1) {
    const { status } = await service.call('POST', '/api/reports', { token, json: { ...range, words: 'burnout' } })
    expect(status).toBe(200)
  }
  const query = new URLSearchParams({ ...range, words: 'burnout' })
  expect((await service.call('GET', `/api/reports?${query}`, { token })).status).toBe(405)
  await service.close()
})

test('[D8.43] reading with a cookie needs proof of origin where it is a POST', async () => {
  const service = await startTestService()
  const browser = await signUp(service, 'ada@example.com')
  const json = { from: '2026-11-01', to: '2026-11-30', group: 'day' }
  expect((await browser.call('POST', '/api/reports', { json })).status).toBe(200)
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const headers = { cookie, origin: 'https://evil.example' }
  expect((await service.call('POST', '/api/reports', { json, headers })).status).toBe(403)
  await service.close()
})
