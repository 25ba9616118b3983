import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { AppServer } from '../../src/http/server.ts'
import { serviceOfFile } from '../file-service.ts'
import { signUp } from './browser.ts'
import { rawRequest, sendBytes } from './raw-http.ts'
import { counterOf, newId, resourceOf } from './resources.ts'

const entries = resourceOf('entries')
const MIB = 1024 * 1024
/** Longer than any answer takes. */
const WAITING = { timeout: 60_000 }

const service = await serviceOfFile()
const user = await service.user()
const call = user.call
const authorization = `Bearer ${user.token}`

// Whatever was sent: nothing is stored, the service goes on answering, and no person has to look.
afterEach(async () => {
  expect(await counterOf(call)).toBe(0)
  expect((await call('GET', '/api/health')).status).toBe(200)
  expect(service.log.filter(({ level }) => level === 'error')).toEqual([])
})

const head = (method: string, path: string, ...lines: string[]) =>
  [`${method} ${path} HTTP/1.1`, 'host: localhost', `authorization: ${authorization}`, ...lines, '', ''].join('\r\n')

/** The status line, headers and body of an answer, as far as it came. */
function parsed(answer: string) {
  const [top = '', body = ''] = answer.split('\r\n\r\n')
  return { status: Number(top.split(' ')[1]), top: top.toLowerCase(), body }
}

test('[D1.20] a body that is too large gets 413, with or without Content-Length', async () => {
  const body = Buffer.alloc(10 * MIB, ' ')
  for (const [path, chunked] of [
    ['/api/entries', false],
    ['/api/entries', true],
    ['/api/sync/push', false],
    ['/api/sync/push', true],
    ['/api/auth/sign-in', true],
  ] as const) {
    const headers = {
      authorization,
      'content-type': 'application/json',
      ...(chunked ? { 'transfer-encoding': 'chunked' } : { 'content-length': String(body.byteLength) }),
    }
    const answer = await rawRequest(service.url, path, { method: 'POST', headers, body })
    expect(answer.status, `${path} ${chunked}`).toBe(413)
    expect(JSON.parse(answer.body.toString()).code).toBe('payload_too_large')
    expect(answer.headers['saldo-protocol']).toBe('3')
  }
})

test('[D1.20] fetch receives the 413 for a body that is too large instead of a network error', async () => {
  const { status, body } = await call('POST', '/api/entries', { raw: new Uint8Array(10 * MIB) })
  expect(status).toBe(413)
  expect(body.code).toBe('payload_too_large')
})

const chunk = `10000\r\n${' '.repeat(0x10000)}\r\n`

test.each([
  ['of a length that is too large', `content-length: ${MIB}`, '', ' '.repeat(MIB)],
  ['in chunks', 'transfer-encoding: chunked', chunk.repeat(5), `${chunk.repeat(11)}0\r\n\r\n`],
])(
  '[D1.20] [D1.32] a body %s is refused before it is there, and the next request is answered',
  async (_, framing, begin, rest) => {
    const { socket, answers } = refusedBody(framing)
    socket.write(begin)
    await vi.waitFor(() => expect(answers()).toEqual([413]), WAITING)
    socket.write(rest)
    socket.write(head('GET', '/api/health'))
    await vi.waitFor(() => expect(answers()).toEqual([413, 200]), WAITING)
  },
)

test('[D1.32] while the rest of a refused body arrives, others are answered', async () => {
  const { socket, answers } = refusedBody(`content-length: ${64 * MIB}`)
  await vi.waitFor(() => expect(answers()).toEqual([413]), WAITING)
  let isTaken = false
  socket.write(Buffer.alloc(64 * MIB, ' '), () => {
    isTaken = true
  })
  for (let n = 0; n < 20; n += 1) await call('GET', '/api/health')
  expect(isTaken).toBe(false)
})

/** Sends the head of a request whose body is refused, on a connection of its own. */
function refusedBody(framing: string) {
  const { hostname, port } = new URL(service.url)
  const socket = connect(Number(port), hostname)
  onTestFinished(() => void socket.destroy())
  let received = ''
  socket.setEncoding('utf8').on('data', (text) => {
    received += text
  })
  socket.write(head('POST', '/api/entries', 'content-type: application/json', framing))
  return { socket, answers: () => Array.from(received.matchAll(/HTTP\/1.1 (\d+)/g), ([, status]) => Number(status)) }
}

test('[D1.20] a body of 256 KiB is accepted, and one byte more is 413', async () => {
  const fits = await call('POST', '/api/entries', { raw: '{}'.padEnd(256 * 1024, ' ') })
  expect(fits.status).toBe(422)
  expect((await call('POST', '/api/entries', { raw: '{}'.padEnd(256 * 1024 + 1, ' ') })).status).toBe(413)
})

test('[D1.21] clients that never finish a body delay nobody and store nothing', async () => {
  const { hostname, port } = new URL(service.url)
  const sockets: Socket[] = []
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
  })
  const text = JSON.stringify(entries.content)
  for (let n = 0; n < 50; n += 1) {
    const socket = connect(Number(port), hostname)
    sockets.push(socket)
    await new Promise<void>((resolve) => socket.on('connect', resolve))
    socket.write(head('POST', '/api/entries', 'content-type: application/json', `content-length: ${text.length}`))
    socket.write(text.slice(0, -1))
  }
  expect((await call('GET', '/api/entries')).body.items).toEqual([])
  for (const socket of sockets) socket.destroy()
  expect((await call('GET', '/api/entries')).body.items).toEqual([])
})

test('[D1.19] bytes that are not HTTP and endless headers are refused with a problem', async () => {
  const asked: [name: string, sent: string][] = [
    ['garbage', 'hello there\r\n\r\n'],
    ['a wrong method', 'FROBNICATE / HTTP/1.1\r\nhost: localhost\r\n\r\n'],
    ['a wrong version', 'GET / HTTP/7.0\r\nhost: localhost\r\n\r\n'],
    ['huge headers', head('GET', '/api/me', `x: ${'x'.repeat(100_000)}`)],
    ['a huge path', head('GET', `/${'x'.repeat(100_000)}`)],
    ['two lengths', head('POST', '/api/entries', 'content-length: 1', 'content-length: 2')],
    ['a negative length', head('POST', '/api/entries', 'content-length: -1')],
    ['a length and chunks', head('POST', '/api/entries', 'content-length: 5', 'transfer-encoding: chunked')],
    ['a broken header', head('GET', '/api/me', 'no colon here')],
    ['a header with NUL', head('GET', '/api/me', 'x: a\0b')],
  ]
  for (const [name, sent] of asked) {
    const { status, top, body } = parsed(await sendBytes(service.url, sent))
    expect(status, name).toBe(name.includes('huge') ? 431 : 400)
    expect(top, name).toContain('saldo-protocol: 3')
    expect(top, name).toContain('content-type: application/problem+json')
    const code = status === 431 ? 'payload_too_large' : 'invalid_request'
    expect(JSON.parse(body), name).toMatchObject({ code, status })
  }
})

test('[D1.21] a request that does not arrive in time gets 408 with the headers of the service', async () => {
  // The service’s own patience is a minute.
  const timeouts = { requestTimeout: 1, headersTimeout: 1, connectionsCheckingInterval: 1 }
  const { http: impatient } = new AppServer(() => undefined, timeouts)
  onTestFinished(() => void impatient.close())
  await new Promise<void>((resolve) => impatient.listen(0, 'localhost', resolve))
  const { port } = impatient.address() as AddressInfo
  const { status, top } = parsed(await sendBytes(`http://localhost:${port}`, 'POST /api/entries HTTP/1.1\r\n'))
  expect(status).toBe(408)
  expect(top).toContain('saldo-protocol: 3')
})

test('[D1.21] a client that keeps its side open is disconnected after the 408', async () => {
  const timeouts = { requestTimeout: 1, headersTimeout: 1, connectionsCheckingInterval: 1 }
  const { http: impatient } = new AppServer(() => undefined, timeouts)
  onTestFinished(() => void impatient.close())
  await new Promise<void>((resolve) => impatient.listen(0, 'localhost', resolve))
  const ended = new Promise<void>((resolve) => impatient.on('connection', (socket) => socket.on('close', resolve)))
  const { port } = impatient.address() as AddressInfo
  const silent = connect({ port, host: 'localhost', allowHalfOpen: true }).resume()
  onTestFinished(() => void silent.destroy())
  await ended
})

test('[D1.19] malformed bytes behind a request do not replace the answer to that request', async () => {
  const answer = await sendBytes(service.url, `${head('GET', '/api/me')}no HTTP\r\n\r\n`)
  expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200'])
})

test('[D1.19] a request with an unknown Expect header is answered like any other', async () => {
  const answer = await sendBytes(service.url, head('GET', '/api/me', 'expect: tea', 'connection: close'))
  expect(parsed(answer)).toMatchObject({ status: 200, top: expect.stringContaining('saldo-protocol: 3') })
})

test('[D1.19] a broken chunk ends the connection and stores nothing', async () => {
  const answer = await sendBytes(
    service.url,
    head('POST', '/api/entries', 'content-type: application/json', 'transfer-encoding: chunked'),
    'zz\r\n{"kind":"work"}\r\n0\r\n\r\n',
  )
  expect([400, Number.NaN]).toContain(parsed(answer).status)
})

test.each([
  ['one that is read', ''],
  ['one that waits behind another request of its connection', head('GET', '/api/events')],
])('[D1.41] a body in pieces of a byte is refused, after 1,000 of them: %s', async (_, before) => {
  const begin = head('POST', '/api/sync/push', 'content-type: application/json', 'transfer-encoding: chunked')
  const answer = await sendBytes(service.url, before, begin, '1\r\n \r\n'.repeat(100_000))
  expect(answer).toContain('too many pieces')
})

test('[D1.41] pieces that grow with the body, and 1,000 of any size, are read', async () => {
  const begin = head(
    'POST',
    '/api/entries',
    'connection: close',
    'content-type: application/json',
    'transfer-encoding: chunked',
  )
  const ofBytes = (bytes: number, count: number) => `${bytes.toString(16)}\r\n${' '.repeat(bytes)}\r\n`.repeat(count)
  const answer = await sendBytes(service.url, begin, ofBytes(1, 900), ofBytes(64, 2_000), '2\r\n{}\r\n0\r\n\r\n')
  expect(parsed(answer)).toMatchObject({ status: 422, body: expect.stringContaining('invalid_record') })
})

test('[D1.22] odd targets, methods and path encodings get 400, 404 or 405', async () => {
  const id = newId()
  for (const target of [
    'http://elsewhere.example/nothing',
    '//api/entries',
    '/../../etc/passwd',
    '/api/entries/../../me',
    '/api/entries/%',
    '/api/entries/%zz',
    '/api/entries/%ff',
    '/api/entries/%00',
    '/api/entries/%2e%2e%2fme',
    `/api/entries/${id}%00`,
    `/api/entries/${id};x=y`,
    `/api/entries/${id}%2F`,
    `/api/entries/${'a'.repeat(5_000)}`,
    '/api/%65ntries%2F',
    '/api\\entries',
    '/api/closed-days/%ED%A0%80',
    '/api/docs/..%2f..%2fpackage.json',
    '/api/docs/__proto__',
    '/api/docs/constructor',
    '/__proto__',
    '/%E0%A4%A',
    '/api/me/sessions/%31e9',
    '/api/me/sessions/99999999999999999999',
  ]) {
    for (const method of ['GET', 'DELETE']) {
      const { status, top } = parsed(await sendBytes(service.url, head(method, target, 'connection: close')))
      expect([400, 403, 404, 405], `${method} ${target}`).toContain(status)
      expect(top).toContain('saldo-protocol: 3')
    }
  }
  for (const target of ['*', '/api/entries/', '/api/me/sessions/']) {
    expect(parsed(await sendBytes(service.url, head('GET', target, 'connection: close'))).status, target).toBe(404)
  }
  for (const method of ['TRACE', 'PROPFIND', 'QUERY', 'M-SEARCH', 'OPTIONS', 'LINK']) {
    const { status } = parsed(await sendBytes(service.url, head(method, '/api/entries', 'connection: close')))
    expect(status, method).toBe(405)
  }
})

test('[D1.19] a query field that is given twice is refused as ambiguous', async () => {
  for (const [method, path, field] of [
    ['GET', '/api/sync/pull?since=0&since=1', 'since'],
    ['GET', '/api/entries?limit=1&limit=2', 'limit'],
    ['PUT', `/api/entries/${newId()}?updated_at=2026-11-21T00:00:00Z&updated_at=2026-11-22T00:00:00Z`, 'updated_at'],
  ] as const) {
    const { status, body } = await call(method, path, method === 'PUT' ? { json: entries.content } : {})
    expect(status, path).toBe(400)
    expect(body.errors).toEqual([{ pointer: `/${field}`, detail: 'must be given once' }])
  }
  expect((await call('GET', '/api/entries?unknown=1&__proto__=x&constructor=y&=&&%=%')).status).toBe(200)
})

test('[D1.1] a body with another media type or without one is refused', async () => {
  const json = JSON.stringify(entries.content)
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/jsonx',
    'json',
    '',
    'text/json',
  ]) {
    const { status, body } = await call('POST', '/api/entries', { raw: json, headers: { 'content-type': type } })
    expect(status, type).toBe(415)
    expect(body.code).toBe('unsupported_media_type')
  }
  const none = await rawRequest(service.url, '/api/entries', { method: 'POST', headers: { authorization }, body: json })
  expect(none.status).toBe(415)
  for (const type of ['application/json; charset=utf-8', 'Application/JSON', ' application/json ;x=y']) {
    const { status } = await call('POST', '/api/entries', { raw: '{}', headers: { 'content-type': type } })
    expect(status, type).toBe(422)
  }
})

test('[D1.19] a client that disconnects in the middle of its body is not logged as a defect', async () => {
  const { hostname, port } = new URL(service.url)
  const requests = () => service.log.filter(({ message }) => message === 'request').length
  const before = requests()
  const socket = connect(Number(port), hostname)
  socket.write(head('POST', '/api/sync/push', 'content-type: application/json', 'content-length: 1000'))
  await new Promise((resolve) => socket.write('{"changes":[', resolve))
  // The service has this request once it answers a later one.
  await call('GET', '/api/health')
  socket.destroy()
  await expect.poll(requests).toBeGreaterThan(before)
})

test('[D1.19] a client that disconnects before its body is read is not logged as a defect', async () => {
  const { hostname, port } = new URL(service.url)
  const requests = () => service.log.filter(({ message }) => message === 'request').length
  // It takes a moment to see whose session it is.
  const { cookies } = await signUp(service)
  const cookie = [...cookies].map(([name, value]) => `cookie: ${name}=${value}`)
  const lines = [...cookie, `origin: ${service.url}`, 'content-type: application/json', 'content-length: 2']
  const before = requests()
  for (let n = 0; n < 20; n += 1) {
    const socket = connect(Number(port), hostname)
    await new Promise<void>((resolve) => socket.on('connect', resolve))
    socket.write(`POST /api/closed-weeks HTTP/1.1\r\nhost: ${hostname}:${port}\r\n${lines.join('\r\n')}\r\n\r\n{}`)
    socket.destroy()
  }
  await expect.poll(requests).toBe(before + 20)
})
