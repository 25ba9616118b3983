import { expect, onTestFinished, test } from 'vitest'
import type { OpenApiDocument } from '../contract-check.ts'
import { startTestService, type TestService } from '../harness.ts'
import { openBrowser, PASSWORD, signUp } from '../http/browser.ts'
import { create, newId, push, resourceOf, resources, timeOf } from '../http/resources.ts'
import { record, startMonths, submit, work } from '../team/month-company.ts'
import { queriesOf } from './citus-kit.ts'
import { newPostgres } from './database.ts'

const entries = resourceOf('entries')

async function start(): Promise<{ service: TestService; url: string }> {
  const url = await newPostgres()
  const service = await startTestService({ config: { databaseUrl: url } })
  onTestFinished(() => service.close())
  return { service, url }
}

/** Returns how many queries the work sends to one worker, and to several. */
async function queriesFor(url: string, work: () => Promise<unknown>) {
  const before = await queriesOf(url)
  await work()
  const after = await queriesOf(url)
  return { single: after.single - before.single, multi: after.multi - before.multi }
}

/** Makes requests, and notes those that ask several workers. */
function watching(url: string) {
  const crossing: string[] = []
  const ask = async (name: string, request: () => Promise<{ status: number }>): Promise<number> => {
    let status = 0
    const { multi } = await queriesFor(url, async () => {
      ;({ status } = await request())
    })
    if (multi > 0) crossing.push(name)
    return status
  }
  return { ask, crossing }
}

/** The paths of all pages and lists that need no id. */
async function readPaths(service: TestService): Promise<string[]> {
  const { paths } = (await service.call('GET', '/api/openapi.json')).body as OpenApiDocument
  const read = Object.keys(paths).filter((path) => !path.includes('{') && 'get' in (paths[path] ?? {}))
  expect(read.length).toBeGreaterThan(30)
  return read.filter((path) => path !== '/api/sync/events')
}

const changesOf = (service: TestService, count: number) =>
  Array.from({ length: count }, () => ({
    kind: 'entries',
    op: 'upsert',
    record: { ...entries.content, id: newId(), updated_at: timeOf(service) },
  }))

test('[D8.2] no request of a user reads or writes at more than one worker, from sign-up to deletion', async () => {
  const { service, url } = await start()
  await signUp(service)
  const email = 'ida@example.com'
  const browser = await signUp(service, email)
  const json = { name: 'program', password: PASSWORD }
  const made = await browser.call('POST', '/api/me/tokens', { json })
  const call: TestService['call'] = (method, path, options) =>
    service.call(method, path, { ...options, token: made.body.token })
  const read = await readPaths(service)
  const { ask, crossing } = watching(url)
  for (const resource of resources) {
    const { id } = await create(call, resource, resource.content)
    const one = `${resource.path}/${id}`
    const changed = { json: resource.content }
    expect(await ask(`GET ${one}`, () => call('GET', one))).toBe(200)
    expect(await ask(`PUT ${one}`, () => call('PUT', one, changed))).toBe(200)
    expect(await ask(`POST ${resource.path}`, () => call('POST', resource.path, { json: resource.other }))).toBe(201)
    expect(await ask(`DELETE ${one}`, () => call('DELETE', one))).toBe(204)
  }
  const changes = { json: { changes: changesOf(service, 40) } }
  expect(await ask('push', () => call('POST', '/api/sync/push', changes))).toBe(200)
  await create(call, resourceOf('settings_history'), resourceOf('settings_history').content)
  const week = { json: { week: '2026-W45' } }
  expect(await ask('close a week', () => browser.call('POST', '/api/closed-weeks', week))).toBe(201)
  expect(await ask('reopen a week', () => browser.call('DELETE', '/api/closed-weeks/2026-W45'))).toBe(204)
  for (const path of read) {
    await ask(`GET ${path} of a session`, () => browser.call('GET', `${path}?from=2026-10-01&to=2026-11-30`))
    await ask(`GET ${path} of a token`, () => call('GET', path))
  }
  const feed = { ...json, absences: true, work: true, language: 'en' }
  const { path } = (await browser.call('POST', '/api/me/feeds', { json: feed })).body
  expect(await ask('read a feed', () => service.call('GET', path))).toBe(200)
  const other = openBrowser(service)
  const signIn = () => other.call('POST', '/api/auth/sign-in', { json: { email, password: PASSWORD } })
  expect(await ask('sign in', signIn)).toBe(200)
  const changed = { current_password: PASSWORD, new_password: `${PASSWORD} new` }
  expect(await ask('set a password', () => other.call('POST', '/api/me/password', { json: changed }))).toBe(204)
  expect(await ask('change the profile', () => other.call('PATCH', '/api/me', { json: { name: 'Ida' } }))).toBe(200)
  const exported = await other.call('GET', '/api/me/export')
  const headers = { 'if-match': exported.headers.get('etag') ?? '' }
  const proof = { json: { password: `${PASSWORD} new` }, headers }
  expect(await ask('delete the account', () => other.call('DELETE', '/api/me', proof))).toBe(204)
  expect(crossing).toEqual([])
})

test('[D8.2] no request to a company asks more than one worker, whoever makes it', async () => {
  const { service, url } = await start()
  await signUp(service)
  const { anna, ben, hera } = await startMonths({}, service)
  const { ask, crossing } = watching(url)
  await record(anna.call, work('2026-10-06'))
  expect(await ask('submit', () => submit(anna.call))).toBe(204)
  const users = { json: { users: [anna.user], reason: null } }
  expect(await ask('lock', () => ben.call('POST', '/api/team/months/2026-10/lock', users))).toBe(200)
  const paths = [`/api/team/members/${anna.user}/months/2026-10`, ...(await readPaths(service))]
  const answered = new Set<string>()
  for (const [name, { call }] of Object.entries({ anna, ben, hera })) {
    for (const path of paths) {
      for (const query of ['?from=2026-10-01&to=2026-10-31', '?month=2026-10']) {
        // The passkeys of this company have ids that no client makes.
        const request = () => call('GET', path + query, { skipContractCheck: true })
        const status = await ask(`GET ${path}${query} by ${name}`, request)
        if (status === 200 && path.startsWith('/api/team/')) answered.add(path)
      }
    }
  }
  expect(answered.size).toBeGreaterThan(8)
  expect(crossing).toEqual([])
})

test('[D8.2] a push of ten changes and a pull of one send few queries, each to one worker', async () => {
  const { service, url } = await start()
  const { call } = await service.user()
  // The first request of a token notes its use.
  await push(call, changesOf(service, 1))
  const pushed = await queriesFor(url, () => push(call, changesOf(service, 10)))
  const pulled = await queriesFor(url, () => call('GET', '/api/sync/pull?since=10'))
  // One each is the token's; a query within a transaction is not one more transaction.
  expect({ pushed, pulled }).toEqual({ pushed: { single: 9, multi: 0 }, pulled: { single: 4, multi: 0 } })
})
