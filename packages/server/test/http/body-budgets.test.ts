import { expect, onTestFinished, test, vi } from 'vitest'
import { BytesInFlight } from '../../src/http/bytes-in-flight.ts'
import { metaRoutes } from '../../src/routes/meta.ts'
import type { RouteContext } from '../../src/routes/route-context.ts'
import { serviceOfFile } from '../file-service.ts'
import { startTestService } from '../harness.ts'
import { PASSWORD } from './browser.ts'
import { beginRequest, sendBytes, unfinishedBody } from './raw-http.ts'
import { push } from './resources.ts'

const MIB = 1024 * 1024
/** Longer than any answer takes. */
const WAITING = { timeout: 60_000 }

const service = await serviceOfFile()

const unfinished = (path: string, bytes: number, token?: string, url = service.url) =>
  unfinishedBody(url, path, bytes, token)

test('[D1.34] bodies of a user that are not whole have 16 MiB, and others go on', async () => {
  const [ada, bob] = [await service.user(), await service.user()]
  const tokens = [ada.token, await service.anotherToken(ada.user), await service.anotherToken(ada.user)]
  const bytes = 4 * MIB - 100_000
  const held = Array.from({ length: 4 }, (_, n) => unfinished('/api/sync/push', bytes, tokens[n % 2]))
  // Whatever the order in which their bytes arrive, one of five is beyond the budget.
  const fifth = unfinished('/api/sync/push', MIB, tokens[2])
  const all = [...held, fifth]
  await vi.waitFor(
    () => expect(all.map(({ status }) => status()).filter((status) => status === 429)).toHaveLength(1),
    WAITING,
  )
  await push(bob.call, [])
  for (const { socket } of all) socket.destroy()
  await vi.waitFor(async () => {
    const body = JSON.stringify({ changes: [] }).padEnd(4 * MIB - 1, ' ')
    const { status } = await ada.call('POST', '/api/sync/push', { raw: body })
    expect(status).toBe(200)
  }, WAITING)
})

test('[D1.34] bodies of a network without sign-in have 256 KiB', async () => {
  const sent = Array.from({ length: 40 }, () => unfinished('/api/auth/sign-in', 8_000))
  const refused = () => sent.filter(({ status }) => status() === 429)
  await vi.waitFor(() => expect(refused()).toHaveLength(40 - Math.floor((256 * 1024) / 8_000)), WAITING)
  const { token } = await service.user()
  expect((await service.call('GET', '/api/me', { token })).status).toBe(200)
})

test('[D1.34] all bodies together have a budget, and each gives back what it took, once', () => {
  const budget = new BytesInFlight(10, 15)
  const [first, second] = [budget.begin('ada'), budget.begin('bob')]
  first.add(10)
  expect(() => first.add(1)).toThrow('Too many requests')
  expect(() => second.add(6)).toThrow('Too many requests')
  second.add(5)
  first[Symbol.dispose]()
  first[Symbol.dispose]()
  second.add(5)
  const third = budget.begin('ada')
  expect(() => third.add(6)).toThrow('Too many requests')
  third.add(5)
})

test('[D1.25] the bytes of a body without Content-Length count as they arrive', async () => {
  const narrow = await startTestService({ config: { writtenBytesPerMinute: 100_000 } })
  onTestFinished(() => narrow.close())
  const { token } = await narrow.user()
  const { status } = unfinished('/api/entries', 250_000, token, narrow.url)
  await vi.waitFor(() => expect(status()).toBe(429), WAITING)
})

test('[D1.20] a body that anybody may send has 8 KiB', async () => {
  const body = (length: number) => JSON.stringify({ email: 'ada@example.com', password: PASSWORD }).padEnd(length, ' ')
  expect((await service.call('POST', '/api/auth/sign-in', { raw: body(8 * 1024) })).status).toBe(401)
  expect((await service.call('POST', '/api/auth/sign-in', { raw: body(8 * 1024 + 1) })).status).toBe(413)
})

test('a file of the API page is read once, however many ask for it at the same time', async () => {
  const find = () =>
    metaRoutes({} as RouteContext, () => ({ status: 200 })).find(({ spec }) => spec.path === '/api/docs/{asset}')
  const handle = find()?.handle as (request: object) => Promise<{ body?: unknown }>
  const asked = { params: { asset: 'swagger-ui-bundle.js' } }
  const [first, second] = await Promise.all([handle(asked), handle(asked)])
  expect(first.body).toBeInstanceOf(Buffer)
  expect(second.body).toBe(first.body)
  expect((await handle(asked)).body).toBe(first.body)
})

const ended = 'connection: close'

test.each<[name: string, status: number, code: string, lines: string[]]>([
  ['without a Host header', 400, 'invalid_request', ['GET /api/health HTTP/1.1', ended]],
  ['with two Host headers', 400, 'invalid_request', ['GET /api/health HTTP/1.1', 'host: a', 'host: b', ended]],
  ['with the same Host twice', 400, 'invalid_request', ['GET /api/health HTTP/1.1', 'host: a', 'host: a', ended]],
  ['in chunks of HTTP/1.0', 400, 'invalid_request', ['POST /x HTTP/1.0', 'host: a', 'transfer-encoding: chunked']],
])('[D1.19] a request %s is %i', async (_name, status, code, lines) => {
  expect(await answerTo(lines)).toEqual([status, code])
})

test('[D1.19] a request of HTTP/1.0 needs no Host header', async () => {
  expect(await sendBytes(service.url, 'GET /api/health HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /)
})

test.each<[name: string, status: number, code: string, lines: string[]]>([
  ['headers of 17 KB', 431, 'payload_too_large', ['GET / HTTP/1.1', 'host: a', `x: ${'x'.repeat(17_000)}`]],
  ['a compressed body', 415, 'unsupported_media_type', [...bodyOf(2), 'content-encoding: gzip', '', '{}']],
  ['a coding of chunks', 400, 'invalid_request', [...bodyOf(), 'transfer-encoding: gzip, chunked', '', '0', '', '']],
])('[D1.35] %s: %i', async (_name, status, code, lines) => {
  expect(await answerTo(lines)).toEqual([status, code])
})

test('[D1.35] a client is asked for a body that it waits to send, unless the request is refused', async () => {
  const asked = await sendBytes(service.url, [...bodyOf(2), 'expect: 100-continue', '', '{}'].join('\r\n'))
  expect(asked.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 100', 'HTTP/1.1 400'])
  const { socket, status } = beginRequest(
    service.url,
    [...bodyOf(100 * MIB), 'expect: 100-continue', '', ''].join('\r\n'),
  )
  await vi.waitFor(() => expect(status()).toBe(413), WAITING)
  socket.destroy()
})

function bodyOf(length?: number): string[] {
  const lines = ['POST /api/auth/sign-in HTTP/1.1', 'host: a', 'content-type: application/json', ended]
  return length === undefined ? lines : [...lines, `content-length: ${length}`]
}

/** The status and the code of the problem that answers lines. */
async function answerTo(lines: readonly string[]): Promise<[number, string]> {
  const text = await sendBytes(service.url, [...lines, '', ''].join('\r\n'))
  const [top = '', body = ''] = text.split('\r\n\r\n')
  return [Number(top.split(' ')[1]), JSON.parse(body.replace(/^[\da-f]+\r\n/, '')).code]
}
