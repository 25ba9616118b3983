import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { PROTOCOL_VERSION } from '@saldo/core'
import { expect, test } from 'vitest'
import { serviceOfFile } from '../file-service.ts'
import type { TestService } from '../harness.ts'
import { rawRequest } from './raw-http.ts'
import { counterOf, create, newId, resourceOf } from './resources.ts'

const entries = resourceOf('entries')

const service = await serviceOfFile()
const user = await service.user()
const call = user.call
const authorization = `Bearer ${user.token}`
for (let n = 0; n < 20; n += 1) await create(call, entries, { ...entries.content, note: `note ${n}` })

const pull = (acceptEncoding?: string) =>
  rawRequest(service.url, '/api/sync/pull?since=0', {
    headers: { authorization, ...(acceptEncoding !== undefined && { 'accept-encoding': acceptEncoding }) },
  })

const decode: Record<string, (body: Buffer) => Buffer> = {
  zstd: zstdDecompressSync,
  br: brotliDecompressSync,
  gzip: gunzipSync,
}

test.each([
  ['zstd', 'zstd'],
  ['br', 'br'],
  ['gzip', 'gzip'],
  ['gzip, deflate, br, zstd', 'zstd'],
  ['gzip, deflate, br', 'br'],
  ['GZIP', 'gzip'],
  ['gzip;q=1.0, br;q=0.5', 'br'],
  ['zstd;q=0, br;q=0.000, gzip;q=0.001', 'gzip'],
  ['*', 'zstd'],
  ['*, zstd;q=0', 'br'],
  ['gzip , identity;q=0.5', 'gzip'],
])('[D1.26] an answer above 1 KiB is compressed as negotiated: %s gives %s', async (accepted, expected) => {
  const { headers, body, status } = await pull(accepted)
  expect(status).toBe(200)
  expect(headers['content-encoding']).toBe(expected)
  expect(headers.vary).toContain('Accept-Encoding')
  expect(headers['content-length']).toBe(String(body.byteLength))
  const plain = decode[expected]?.(body).toString() ?? ''
  expect(JSON.parse(plain).changes.entries).toHaveLength(20)
  expect(body.byteLength).toBeLessThan(plain.length / 3)
})

test.each([undefined, '', 'identity', 'deflate', 'zstd;q=0', 'gzip;q=0, *;q=0', 'x-gzip-like', 'gzip;q=0.0'])(
  '[D1.26] an answer is not compressed without an accepted encoding: %s',
  async (accepted) => {
    const { headers, body } = await pull(accepted)
    expect(headers).not.toHaveProperty('content-encoding')
    expect(headers.vary).toContain('Accept-Encoding')
    expect(JSON.parse(body.toString()).changes.entries).toHaveLength(20)
  },
)

test('[D1.26] answers of up to 1 KiB are not compressed', async () => {
  const small = await rawRequest(service.url, `/api/sync/pull?since=${await counterOf(call)}`, {
    headers: { authorization, 'accept-encoding': 'zstd, br, gzip' },
  })
  expect(small.body.byteLength).toBeLessThan(1_024)
  expect(small.headers).not.toHaveProperty('content-encoding')

  const nameOf = (answer: { headers: object; body: Buffer }) => Object.hasOwn(answer.headers, 'content-encoding')
  const { call: other, token } = await service.user()
  const sized = async (noteLength: number) => {
    const made = await create(other, entries, { ...entries.content, note: 'x'.repeat(noteLength) })
    const path = `/api/sync/pull?since=${made.version - 1}`
    const plain = await rawRequest(service.url, path, { headers: { authorization: `Bearer ${token}` } })
    const headers = { authorization: `Bearer ${token}`, 'accept-encoding': 'gzip' }
    return { bytes: plain.body.byteLength, compressed: nameOf(await rawRequest(service.url, path, { headers })) }
  }
  // The first record of all has no tag before it.
  await sized(0)
  const first = await sized(0)
  expect(await sized(1_024 - first.bytes)).toEqual({ bytes: 1_024, compressed: false })
  expect(await sized(1_025 - first.bytes)).toEqual({ bytes: 1_025, compressed: true })
})

test('[D1.16] every answer carries Saldo-Protocol and a request id, whatever its status', async () => {
  const id = newId()
  const asked: [string, string, number, Parameters<TestService['call']>[2]?][] = [
    ['GET', '/', 404],
    ['GET', '/api/docs', 200],
    ['GET', '/api/health', 200],
    ['GET', '/nothing', 404],
    ['GET', `/api/entries/${id}`, 404],
    ['GET', '/api/entries/x', 400],
    ['PATCH', '/api/entries', 405],
    ['POST', '/api/entries', 415, { raw: '{}', headers: { 'content-type': 'text/plain' } }],
    ['POST', '/api/entries', 422, { json: {} }],
    ['POST', '/api/entries', 400, { raw: '{' }],
    ['PUT', `/api/entries/${id}`, 412, { json: entries.content, headers: { 'if-match': '*' } }],
    ['POST', '/api/closed-weeks', 409, { json: { week: '2026-W46' } }],
    ['GET', '/api/me', 401, { token: 'wrong' }],
    ['GET', '/api/me/tokens', 403],
    ['GET', '/api/sync/pull?since=x', 400],
  ]
  const ids = new Set<string | null>()
  for (const [method, path, status, options] of asked) {
    const answer = await call(method, path, options)
    expect(answer.status, `${method} ${path}`).toBe(status)
    expect(answer.headers.get('saldo-protocol')).toMatch(/^[1-9]\d*$/)
    ids.add(answer.headers.get('x-request-id'))
    if (status >= 400) expect(answer.headers.get('content-type')).toBe('application/problem+json')
  }
  expect(ids.size).toBe(asked.length)
  const { body } = await call('GET', '/api/version')
  expect(body.protocol).toBe(PROTOCOL_VERSION)
})

test('[D1.18] errors are problem documents with a type, a title, the status, a detail and a stable code', async () => {
  const { body } = await call('GET', '/api/entries/x')
  expect(body).toEqual({
    type: 'urn:saldo:problem:invalid_request',
    title: 'Invalid request',
    status: 400,
    code: 'invalid_request',
    detail: 'The path is not valid.',
    errors: [{ pointer: '/id', detail: 'must be a UUID in lower case' }],
  })
})

test('[D1.22] an unknown path is 404, and an unsupported method is 405 with Allow', async () => {
  for (const path of [
    '/api',
    '/api/',
    '/api//entries',
    '/api/entries/a/',
    '/api/entries/a/b',
    '/API/entries',
    '/x?y=z',
  ]) {
    const { status, body } = await call('GET', path)
    expect(status, path).toBe(404)
    expect(body.code).toBe('not_found')
  }
  for (const [method, path, allow] of [
    ['PUT', '/api/entries', 'GET, HEAD, POST'],
    ['DELETE', '/api/sync/pull', 'GET, HEAD'],
    ['GET', '/api/sync/push', 'POST'],
    ['HEAD', '/api/sync/push', 'POST'],
    ['POST', `/api/entries/${newId()}`, 'GET, HEAD, PUT, DELETE'],
    ['PUT', '/api/closed-weeks/2026-W46', 'GET, HEAD, DELETE'],
    ['OPTIONS', '/api/entries', 'GET, HEAD, POST'],
    ['PATCH', '/api/balance', 'GET, HEAD'],
  ] as const) {
    const { status, headers } = await call(method, path)
    expect(status, `${method} ${path}`).toBe(405)
    expect(headers.get('allow')).toBe(allow)
  }
})

test('[D1.22] HEAD answers as GET does, without a body', async () => {
  const { id } = await create(call, entries, entries.content)
  for (const path of ['/', '/api/health', `/api/entries/${id}`, '/api/entries', '/api/sync/pull?since=0', '/api/me']) {
    const got = await rawRequest(service.url, path, { headers: { authorization } })
    const head = await rawRequest(service.url, path, { method: 'HEAD', headers: { authorization } })
    expect(head.status).toBe(got.status)
    expect(head.body.byteLength).toBe(0)
    const { 'x-request-id': _id, date: _date, ...expected } = got.headers
    expect(head.headers).toMatchObject(expected)
  }
  expect((await call('HEAD', `/api/entries/${newId()}`)).status).toBe(404)
  const fresh = await rawRequest(service.url, `/api/entries/${id}`, {
    method: 'HEAD',
    headers: { authorization, 'if-none-match': '*' },
  })
  expect(fresh.status).toBe(304)
})

test('[D1.27] answers forbid caching, sniffing, framing and embedding', async () => {
  for (const path of ['/api/entries', '/api/health', '/api/nothing']) {
    const { headers } = await call('GET', path)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
    expect(headers.has('access-control-allow-origin')).toBe(false)
    expect(headers.has('server')).toBe(false)
    expect(headers.has('x-powered-by')).toBe(false)
  }
})
