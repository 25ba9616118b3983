import type { Json, TokenScope } from '@saldo/core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isHeavy } from '../../../core/test/tier.ts'
import type { OpenApiDocument } from '../contract-check.ts'
import { type CallOptions, startTestService, type TestResponse, type TestService } from '../harness.ts'
import { bodies } from './bodies.ts'
import { type Browser, PASSWORD, signUp } from './browser.ts'
import { SoftAuthenticator } from './passkey-authenticator.ts'
import { create, newId, resources, timeOf } from './resources.ts'

/** Stands in everything that the first user wrote. */
const MARKER = 'Kellerschlüssel'
const EMAIL = 'first.of.all@example.com'

interface Operation {
  method: string
  template: string
  /** With the identifiers of the first user's own things. */
  path: string
  isPublic: boolean
}

let service: TestService
let first: Browser
let operations: Operation[]
/** Data that nobody else may see: the marker, the email address, and the ids of the first user's records. */
let secrets: string[]
let token: string

beforeAll(async () => {
  // The walk confirms itself with wrong passwords more often than a user may.
  service = await startTestService({ now: new Date().toISOString(), config: { failedSignIns: 1_000 } })
  first = await signUp(service, EMAIL)
  const identifiers: Record<string, string> = {
    'GET /api/docs/{asset}': 'start.js',
    // Whoever knows the address of a feed may read it.
    'GET /api/calendar/{file}': 'feed_unknown.ics',
    '/api/auth/oidc/{provider}': '1',
    '/api/auth/oidc/{provider}/callback': '1',
    'GET /api/auth/accounts/{id}': '1',
    '/api/admin/users/{id}': '1',
    '/api/admin/users/{id}/link': '1',
    '/api/admin/users/{id}/sessions': '1',
    '/api/admin/users/{id}/invitation': '1',
    '/api/team/groups/{id}': '1',
    '/api/team/roles/{id}/confirmation': '1',
    '/api/me/memberships/{id}': '1',
    '/api/me/memberships/{id}/acceptance': '1',
  }
  secrets = [MARKER, EMAIL]
  for (const resource of resources) {
    const word = resource.kind === 'balance_adjustments' ? 'reason' : 'note'
    const { id } = await create(first.call, resource, { ...resource.content, [word]: `${MARKER} ${resource.kind}` })
    identifiers[`${resource.path}/{id}`] = id
    secrets.push(id)
  }
  for (const part of ['', '/decision', '/substitution']) {
    identifiers[`/api/team/requests/{user}/{id}${part}`] = `1/${identifiers['/api/entries/{id}']}`
  }
  const months = ['/api/me/months/{month}', '/api/me/months/{month}/submission']
  for (const path of [...months, ...['lock', 'return', 'reopen'].map((act) => `/api/team/months/{month}/${act}`)]) {
    identifiers[path] = '2026-10'
  }
  identifiers['/api/team/members/{user}/months/{month}'] = '1/months/2026-10'
  identifiers['/api/team/members/{user}/months/{month}/records'] = '1/months/2026-10'
  identifiers['/api/team/members/{user}/changes/{id}'] = `1/changes/${newId()}`
  for (const part of ['changes', 'trail', 'settlement']) identifiers[`/api/team/members/{user}/${part}`] = '1'
  identifiers['/api/team/exports/{number}'] = '1'
  identifiers['/api/me/proposals/{id}/answer'] = newId()
  identifiers['/api/me/remarks/{id}'] = newId()
  const week = await first.call('POST', '/api/closed-weeks', { json: { week: '2026-W45' } })
  const [day] = (await first.call('GET', '/api/closed-days')).body.items
  identifiers['/api/closed-weeks/{week}'] = week.body.week
  identifiers['/api/closed-days/{date}'] = day.date
  const made = (await first.call('POST', '/api/me/tokens', { json: { name: MARKER, password: PASSWORD } })).body
  token = made.token
  identifiers['/api/me/tokens/{id}'] = made.id
  const feed = { name: MARKER, absences: true, work: true, language: 'en', password: PASSWORD }
  const feedId = (await first.call('POST', '/api/me/feeds', { json: feed })).body.id
  identifiers['/api/me/feeds/{id}'] = feedId
  const webhook = { url: `https://example.com/${MARKER}`, events: ['week.closed'], password: PASSWORD }
  const webhookId = (await first.call('POST', '/api/webhooks', { json: webhook })).body.id
  for (const part of ['', '/test', '/deliveries']) identifiers[`/api/webhooks/{id}${part}`] = webhookId
  identifiers['/api/me/sessions/{id}'] = (await first.call('GET', '/api/me/sessions')).body.items[0].id
  const asked = await first.call('POST', '/api/me/passkey-options', { json: { password: PASSWORD } })
  const credential = new SoftAuthenticator().create(asked.body, { origin: service.url })
  const passkey = (await first.call('POST', '/api/me/passkeys', { json: { name: MARKER, credential } })).body
  identifiers['/api/me/passkeys/{id}'] = passkey.id
  secrets.push(week.body.id, day.id, made.id, token, passkey.id, feedId, webhookId)

  const { paths } = (await service.call('GET', '/api/openapi.json')).body as OpenApiDocument
  operations = Object.entries(paths).flatMap(([template, ofPath]) =>
    Object.entries(ofPath).map(([name, operation]) => {
      const method = name.toUpperCase()
      const identifier = identifiers[template] ?? identifiers[`${method} ${template}`]
      if (template.includes('{') && identifier === undefined) throw new Error(`no identifier for ${template}`)
      if ('requestBody' in operation && !bodies[`${method} ${template}`])
        throw new Error(`no body for ${method} ${template}`)
      const path = template.replace(/\{.*\}/, String(identifier))
      return { method, template, path, isPublic: (operation as { security?: unknown[] }).security?.length === 0 }
    }),
  )
})
afterAll(() => service.close())

/** The requests of an operation: with its body, and, where it takes a device's stamp, with that too. */
function requestsOf({ method, template, path, isPublic }: Operation): { path: string; options: CallOptions }[] {
  const [json] = bodies[`${method} ${template}`] ?? []
  const options: CallOptions = json === undefined ? {} : { json }
  const more = isHeavy ? ['?since=0', `?updated_at=${timeOf(service)}`] : []
  const queries = ['', '?from=2026-10-01&to=2026-11-30', ...more]
  // Public routes know no user, and passwords are slow on purpose.
  return (isPublic ? [''] : queries).map((query) => ({ path: path + query, options }))
}

/** Returns the first user's data in a response, other than what the request itself contained. */
function leaksOf({ text, headers }: TestResponse, path: string): string[] {
  const shown = text + JSON.stringify([...headers])
  return secrets.filter((secret) => shown.includes(secret) && !path.includes(secret))
}

async function exportOf(browser: Browser): Promise<Json> {
  const { exported_at: _at, ...rest } = (await browser.call('GET', '/api/me/export')).body
  return rest
}

test('[D8.1] the walk over all routes finds every secret when it is the first user', async () => {
  const shown = new Set<string>()
  for (const operation of operations.filter(({ method }) => method === 'GET')) {
    for (const { path } of requestsOf(operation)) {
      for (const secret of leaksOf(await first.call('GET', path), '')) shown.add(secret)
    }
  }
  // The secret of a token is shown only when it is created.
  expect([...shown].sort()).toEqual(secrets.filter((secret) => secret !== token).sort())
})

describe('on every route of the document', () => {
  test('[D8.4] no credentials, a revoked token and an ended session get 401 and no data', async () => {
    const revoked = (await first.call('POST', '/api/me/tokens', { json: { name: 'gone', password: PASSWORD } })).body
    await first.call('DELETE', `/api/me/tokens/${revoked.id}`)
    const cookieOf = ({ cookies }: Browser) => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const [ended, deactivated] = [await signUp(service), await signUp(service)]
    const cookie = cookieOf(ended)
    await ended.call('POST', '/api/auth/sign-out')
    const gone = (await deactivated.call('GET', '/api/me')).body.user_id
    await first.call('PATCH', `/api/admin/users/${gone}`, { json: { active: false } })
    const before = await exportOf(first)
    const callers: Record<string, CallOptions> = {
      nobody: {},
      'a revoked token': { token: revoked.token },
      'an ended session': { headers: { cookie, origin: service.url } },
      'a deactivated user': { headers: { cookie: cookieOf(deactivated), origin: service.url } },
    }
    for (const operation of operations) {
      for (const [caller, as] of Object.entries(callers)) {
        for (const { path, options } of requestsOf(operation)) {
          const answer = await service.call(operation.method, path, { ...options, ...as })
          const what = `${operation.method} ${path} as ${caller}`
          expect(leaksOf(answer, ''), what).toEqual([])
          if (!operation.isPublic) {
            expect(answer.status, what).toBe(401)
            expect(answer.body.code).toBe('unauthenticated')
          }
        }
      }
    }
    expect(await exportOf(first)).toEqual(before)
  })

  test('[D8.1] another user can neither read nor change anything, by session or by token', async () => {
    const before = await exportOf(first)
    const sessions = (await first.call('GET', '/api/me/sessions')).body
    const tokens = (await first.call('GET', '/api/me/tokens')).body
    const passkeys = (await first.call('GET', '/api/me/passkeys')).body
    for (const operation of operations) {
      for (const by of ['session', 'token'] as const) {
        const call = await anotherUser(by)
        for (const { path, options } of requestsOf(operation)) {
          // A device's upsert makes a record of one's own, which the next operation would find.
          if (by === 'session' && path.includes('updated_at')) continue
          const answer = await call(operation.method, path, options)
          const what = `${operation.method} ${path} by ${by}`
          expect(leaksOf(answer, path), what).toEqual([])
          if (operation.template.includes('{') && !operation.isPublic && !path.includes('updated_at')) {
            expect([404, 403], what).toContain(answer.status)
          }
        }
      }
    }
    expect(await exportOf(first)).toEqual(before)
    expect((await first.call('GET', '/api/me/sessions')).body).toEqual(sessions)
    expect((await first.call('GET', '/api/me/tokens')).body).toEqual(tokens)
    expect((await first.call('GET', '/api/me/passkeys')).body).toEqual(passkeys)
    expect((await service.call('GET', '/api/balance', { token })).status).toBe(200)
  })
})

/** The operations that write and take a token, by the scope that they need. */
const RECORDING = ['POST /api/entries', 'PUT /api/entries/{id}', 'DELETE /api/entries/{id}', 'POST /api/sync/push']
const CHANGING = [
  ...['/api/settings', '/api/balance/adjustments'].flatMap((path) => [
    `POST ${path}`,
    `PUT ${path}/{id}`,
    `DELETE ${path}/{id}`,
  ]),
  'POST /api/closed-days',
  'DELETE /api/closed-days/{date}',
  'POST /api/closed-weeks',
  'DELETE /api/closed-weeks/{week}',
]
/** Reading operations that take a session only. */
const SESSION_ONLY =
  /^GET \/api\/(admin\/|team\b|webhooks\b|me\/(sessions|tokens|feeds|second-factor|passkeys|memberships|visibility|proposals|remarks|trail|personnel)$|me\/months\b)/

/** Returns the scope that a token needs for an operation, unless that takes a session only. */
function scopeOf(name: string): TokenScope {
  // The scopes of other routes do not include this one (D24.8).
  if (name === 'GET /api/team/away') return 'away'
  if (name === 'GET /api/team/exports/{number}') return 'payroll'
  return RECORDING.includes(name) ? 'record' : CHANGING.includes(name) ? 'full' : 'read'
}

test('[D21.1] [D21.3] [D21.5] on every route, a token can do what its scope allows, as documented', async () => {
  const { paths } = (await service.call('GET', '/api/openapi.json')).body as OpenApiDocument
  for (const scope of ['read', 'record', 'full'] as const) {
    const { call } = await service.user(`${scope}@example.com`, { scope })
    for (const operation of operations.filter(({ isPublic }) => !isPublic)) {
      const name = `${operation.method} ${operation.template}`
      const needed = scopeOf(name)
      const isReading = operation.method === 'GET' || name === 'POST /api/reports'
      const byToken = needed !== 'read' || (isReading && !SESSION_ONLY.test(name))
      const described = paths[operation.template]?.[operation.method.toLowerCase()] as { security?: object[] }
      expect(described.security, name).toEqual([...(byToken ? [{ token: [needed] }] : []), { session: [] }])

      const scopes: TokenScope[] = ['read', 'record', 'full']
      const isAllowed = byToken && scopes.includes(needed) && scopes.indexOf(scope) >= scopes.indexOf(needed)
      const [request] = requestsOf(operation)
      if (!request) throw new Error(`no request of ${name}`)
      const { status, body, headers } = await call(operation.method, request.path, request.options)
      expect([status === 403, name], `${name} with ${scope}`).toEqual([!isAllowed, name])
      if (isAllowed) continue
      expect(body.code, name).toBe('forbidden')
      expect(headers.get('www-authenticate'), name).toBe(
        byToken ? `Bearer error="insufficient_scope", scope="${needed}"` : null,
      )
    }
  }
})

let sessionOfAnother: Browser | undefined

async function anotherUser(by: 'session' | 'token'): Promise<TestService['call']> {
  if (by === 'token') return (await service.user()).call
  // Signing up is slow on purpose: one user walks on until an operation ends the session.
  if (!sessionOfAnother || sessionOfAnother.cookies.size === 0) sessionOfAnother = await signUp(service)
  return sessionOfAnother.call
}

test('[D19.3] an admin neither reads nor changes a record of another user on any route', async () => {
  const before = await exportOf(first)
  let admin = await anAdmin()
  // The tests of the admin's routes say which changes of an account are allowed.
  const routes = operations.filter(({ method, path }) => method === 'GET' || !path.startsWith('/api/admin/'))
  for (const operation of routes) {
    // An operation can end the session.
    if ((await admin.call('GET', '/api/me')).body.role !== 'admin') admin = await anAdmin()
    for (const { path, options } of requestsOf(operation)) {
      // A device's upsert makes a record of one's own, which the next operation would find.
      if (path.includes('updated_at')) continue
      const leaks = leaksOf(await admin.call(operation.method, path, options), path)
      // The address of an account is what an admin manages.
      const what = `${operation.method} ${path}`
      expect(
        leaks.filter((leak) => leak !== EMAIL),
        what,
      ).toEqual([])
    }
  }
  expect(await exportOf(first)).toEqual(before)
})

async function anAdmin(): Promise<Browser> {
  const admin = await signUp(service)
  const { user_id } = (await admin.call('GET', '/api/me')).body
  await first.call('PATCH', `/api/admin/users/${user_id}`, { json: { role: 'admin', password: PASSWORD } })
  return admin
}

test('[D8.3] the id of another user’s record names a new, separate record', async () => {
  const { call } = await service.user()
  const before = await exportOf(first)
  for (const { path, kind, other } of resources) {
    const { id } = (await first.call('GET', path)).body.items[0]
    expect((await call('POST', path, { json: { ...other, id } })).status).toBe(201)
    const theirs = (await call('GET', `${path}/${id}`)).body
    expect(theirs).toMatchObject(other)
    await call('DELETE', `${path}/${id}`)
    const change = { kind, op: 'delete', id, updated_at: timeOf(service, 50_000) }
    await call('POST', '/api/sync/push', { json: { changes: [change] } })
  }
  expect(await exportOf(first)).toEqual(before)
})
