import { expect, test } from 'vitest'
import { serviceOfFile } from '../file-service.ts'
import { PASSWORD, signUp } from './browser.ts'
import { newId, resourceOf } from './resources.ts'

const BOARD = 'https://board.example'
const { content } = resourceOf('entries')

const config = { allowedOrigins: [BOARD, 'http://localhost:5173'] }
const service = await serviceOfFile({ now: new Date().toISOString(), config })
const browser = await signUp(service)
const token = (await browser.call('POST', '/api/me/tokens', { json: { name: 'board', password: PASSWORD } })).body.token

const corsOf = (headers: Headers) =>
  Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-')))
/** Sends what a browser asks before a request. The document does not describe it. */
const preflight = (path: string, method: string, origin = BOARD) =>
  service.call('OPTIONS', path, {
    headers: { origin, 'access-control-request-method': method },
    skipContractCheck: true,
  })

test('[D21.6] a page of an allowed origin may send a token and read the answer with its headers', async () => {
  const asked = await preflight('/api/entries', 'POST')
  expect(asked.status).toBe(204)
  const { 'access-control-allow-headers': allowed = '', ...cors } = corsOf(asked.headers)
  expect(cors).toEqual({
    'access-control-allow-origin': BOARD,
    'access-control-allow-methods': 'POST',
    'access-control-expose-headers': expect.any(String),
    'access-control-max-age': '7200',
  })
  expect(allowed.toLowerCase().split(', ')).toEqual(
    expect.arrayContaining(['authorization', 'content-type', 'if-match', 'if-none-match', 'saldo-user']),
  )
  const made = await service.call('POST', '/api/entries', { token, json: content, headers: { origin: BOARD } })
  const exposed = (made.headers.get('access-control-expose-headers') ?? '').toLowerCase().split(', ')
  for (const name of ['etag', 'location', 'saldo-protocol', 'x-request-id']) {
    expect(made.headers.has(name), name).toBe(true)
    expect(exposed).toContain(name)
  }
  expect(exposed).toEqual(expect.arrayContaining(['retry-after', 'saldo-version', 'saldo-updated-at']))
  for (const path of ['/api/entries', '/api/sync/events', `/api/entries/${newId()}`, '/api/version']) {
    const { headers } = await service.call('GET', path, { token, headers: { origin: BOARD } })
    expect(headers.get('access-control-allow-origin'), path).toBe(BOARD)
    expect(headers.get('vary')?.split(', '), path).toContain('Origin')
  }
  const nobody = await service.call('GET', '/api/me', { headers: { origin: BOARD } })
  expect([nobody.status, nobody.headers.get('access-control-allow-origin')]).toEqual([401, BOARD])
  // A cache must not give a page what another origin may read.
  const plain = await service.call('GET', '/api/me', { token })
  expect([plain.headers.get('vary')?.split(', ')[0], corsOf(plain.headers)]).toEqual(['Origin', {}])
})

test('[D21.7] other origins, operations with a session, and cookies get nothing', async () => {
  const { paths } = (await service.call('GET', '/api/openapi.json')).body
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  for (const [template, ofPath] of Object.entries<Record<string, { security: object[] }>>(paths)) {
    for (const [name, { security }] of Object.entries(ofPath)) {
      const method = name.toUpperCase()
      const path = template.replace(/\{\w+\}/, newId())
      const what = `${method} ${path}`
      const isShared = security.some((way) => 'token' in way) || (security.length === 0 && method === 'GET')
      const allowed = await preflight(path, method)
      expect([allowed.status, allowed.headers.has('access-control-allow-origin')], what).toEqual(
        isShared ? [204, true] : [405, false],
      )
      for (const origin of ['https://evil.example', 'null', `${BOARD}.evil.example`, 'http://board.example']) {
        const { status, headers } = await preflight(path, method, origin)
        expect([status, corsOf(headers)], `${what} from ${origin}`).toEqual([405, {}])
      }
      if (method !== 'GET' || template.endsWith('/events')) continue
      const { headers } = await service.call('GET', path, { headers: { origin: BOARD, cookie } })
      expect(headers.has('access-control-allow-credentials'), what).toBe(false)
      expect(headers.has('access-control-allow-origin'), what).toBe(isShared)
    }
  }
  const written = await service.call('POST', '/api/entries', { json: content, headers: { origin: BOARD, cookie } })
  expect([written.status, written.body.code]).toEqual([403, 'forbidden'])
  expect((await preflight('/api/nothing', 'GET')).status).toBe(404)
  expect((await preflight('/api/entries', 'PATCH')).status).toBe(405)
})
