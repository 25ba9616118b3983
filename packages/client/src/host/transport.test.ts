import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ManualClock } from '../../test/manual-clock.ts'
import { type FetchOptions, fetchTransport, type ServiceRequest, type ServiceResponse } from './transport.ts'

const TIMEOUT_MS = 30_000

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** Sends a request over a network that delivers the bytes that the test passes to `bring`. */
function ask(): { bring(piece: string | Uint8Array): Promise<void>; end(): void; response: Promise<ServiceResponse> } {
  let bytes: ReadableStreamDefaultController<Uint8Array>
  const transport = fetchTransport({
    url: 'https://saldo.example',
    fetch: async (_url, { signal } = {}) => {
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          bytes = controller
        },
      })
      signal?.addEventListener('abort', () => bytes.error(signal.reason))
      return new Response(body, { headers: { 'saldo-protocol': '1' } })
    },
  })
  return {
    response: transport({ method: 'GET', path: '/api/sync/pull' }),
    async bring(piece) {
      await vi.advanceTimersByTimeAsync(TIMEOUT_MS - 1)
      bytes.enqueue(typeof piece === 'string' ? new TextEncoder().encode(piece) : piece)
      await vi.advanceTimersByTimeAsync(0)
    },
    end: () => bytes.close(),
  }
}

test('[D7.8] a response may take long as long as bytes arrive: a slow network is not a dead one', async () => {
  const { bring, end, response } = ask()
  for (const piece of ['{"version"', ': 7', '}']) await bring(piece)
  end()
  expect(await response).toMatchObject({ outcome: 'ok', status: 200, body: { version: 7 } })
  expect(vi.getTimerCount()).toBe(0)
})

test('a response has its text, however the bytes of its characters are split', async () => {
  const body = { note: 'Gerät, 5 €, 🙂' }
  const { bring, end, response } = ask()
  for (const byte of new TextEncoder().encode(JSON.stringify(body))) await bring(Uint8Array.of(byte))
  end()
  expect(await response).toMatchObject({ outcome: 'ok', body })
})

test('[D7.8] a response that trickles for ever is given up', async () => {
  const end = new AbortController()
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(end.signal)
  const { bring, response } = ask()
  expect(timeout).toHaveBeenCalledExactlyOnceWith(20 * TIMEOUT_MS)
  for (const piece of ['{"version"', ': 7']) await bring(piece)
  end.abort()
  expect(await response).toMatchObject({ outcome: 'retryable', retryAfterMs: 0, failure: { code: 'unreachable' } })
})

test('[D7.8] a response of which no more bytes arrive is given up', async () => {
  const { bring, response } = ask()
  await bring('{"version"')
  await vi.advanceTimersByTimeAsync(TIMEOUT_MS)
  expect(await response).toMatchObject({ outcome: 'retryable', retryAfterMs: 0, failure: { code: 'unreachable' } })
})

/** A response without an end. Returns the number of its characters that were read. */
function endless(headers: Record<string, string>) {
  const piece = new Uint8Array(8 * 1024 * 1024).fill(97)
  let read = 0
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      read += piece.length
      controller.enqueue(piece)
    },
  })
  const transport = fetchTransport({
    url: 'https://saldo.example',
    fetch: async () => new Response(body, { headers }),
  })
  return { response: transport({ method: 'GET', path: '/api/me/export' }), read: () => read }
}

test('[D7.62] a response that has no end is given up, and the body of another server is not read', async () => {
  const of = { saldo: endless({ 'saldo-protocol': '1' }), other: endless({}) }
  expect(await of.saldo.response).toMatchObject({ outcome: 'retryable', failure: { code: 'unreachable' } })
  expect(of.saldo.read()).toBeLessThan(300 * 1024 * 1024)
  expect(await of.other.response).toMatchObject({ outcome: 'retryable', failure: { code: 'wrongService' } })
  expect(of.other.read()).toBeLessThan(20 * 1024 * 1024)
})

const answering = (status: number, headers: Record<string, string> = { 'saldo-protocol': '1' }) =>
  fetchTransport({
    url: 'https://saldo.example',
    fetch: async () => new Response(status === 204 ? null : '{}', { status, headers }),
  })

test.each([
  [[408, 425, 429, 500, 502, 503, 504], 'retryable'],
  [[400, 403, 404, 409, 410, 412, 413, 422], 'rejected'],
  [[401], 'unauthenticated'],
  [[200, 201, 204], 'ok'],
] as const)('[D7.7] [D7.9] [D7.10] after the statuses %j, a request is %s', async (statuses, outcome) => {
  for (const status of statuses) {
    const response = await answering(status)({ method: 'PUT', path: '/api/entries/1', body: {} })
    expect(response.outcome, String(status)).toBe(outcome)
  }
})

test('[D7.8] a transport waits by the clock that it is given', async () => {
  const clock = new ManualClock()
  const silent: typeof fetch = (_url, { signal } = {}) =>
    new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
  const response = fetchTransport({ url: 'https://saldo.example', fetch: silent }, clock)({ method: 'GET', path: '/' })
  clock.pass(TIMEOUT_MS)
  expect(await response).toMatchObject({ outcome: 'retryable' })
})

test('[D7.7] a change waits if somebody else than the service responds, whatever the status', async () => {
  for (const status of [200, 401, 404, 422]) {
    expect((await answering(status, {})({ method: 'GET', path: '/api/me' })).outcome).toBe('retryable')
  }
})

/** Sends a request and returns the address and the options that `fetch` got. */
async function sent(request: ServiceRequest, options: Partial<FetchOptions> = {}) {
  const calls: [string, RequestInit][] = []
  const fetch = async (url: URL, init: RequestInit) => {
    calls.push([url.href, init])
    return new Response('{}', { headers: { 'saldo-protocol': '1' } })
  }
  await fetchTransport({ url: 'https://saldo.example', ...options, fetch: fetch as typeof globalThis.fetch })(request)
  const [[url, init]] = calls as [[string, RequestInit]]
  return { url, ...init }
}

test('a request has its method, its path, its headers, and a body as JSON', async () => {
  const headers = { 'if-match': '"7"' }
  const put = await sent({ method: 'PUT', path: '/api/entries/1?device=x', body: { note: 'a' }, headers })
  expect(put).toMatchObject({
    url: 'https://saldo.example/api/entries/1?device=x',
    method: 'PUT',
    body: '{"note":"a"}',
  })
  expect(put.headers).toEqual({ ...headers, 'content-type': 'application/json' })
  expect(put).toMatchObject({ redirect: 'manual', cache: 'no-store' })
  const get = await sent({ method: 'GET', path: '/api/me' })
  expect([get.body, get.headers]).toEqual([undefined, {}])
})

test('[D8.11] [D6.18] a program signs in by its token, a browser by its cookie; both name a user', async () => {
  const get = { method: 'GET', path: '/api/me' } as const
  expect(await sent(get, { token: 'secret' })).toMatchObject({
    credentials: 'omit',
    headers: { authorization: 'Bearer secret' },
  })
  const browser = await sent(get, { user: 7 })
  expect(browser).toMatchObject({ credentials: 'same-origin', headers: { 'saldo-user': '7' } })
  expect(browser.headers).not.toHaveProperty('authorization')
})

test.each([
  ['5', 5_000],
  ['7200', 3_600_000],
  ['0', 0],
  ['-1', 0],
  ['soon', 0],
  [undefined, 0],
])('[D7.24] Retry-After: %s is a delay of %i ms', async (seconds, retryAfterMs) => {
  const headers = { 'saldo-protocol': '1', ...(seconds !== undefined && { 'retry-after': seconds }) }
  const response = await answering(503, headers)({ method: 'GET', path: '/api/me' })
  expect(response).toMatchObject({ outcome: 'retryable', retryAfterMs })
})

test('a response has the problem of the service, or one that quotes what it says', async () => {
  const respondTo = (status: number, text: string) => {
    const fetch = async () => new Response(text, { status, headers: { 'saldo-protocol': '1' } })
    return fetchTransport({ url: 'https://saldo.example', fetch })({ method: 'GET', path: '/api/me' })
  }
  const problem = { type: 'about:blank', title: 'Conflict', status: 409, code: 'conflict', detail: 'Closed.' }
  expect(await respondTo(409, JSON.stringify(problem))).toMatchObject({ outcome: 'rejected', status: 409, problem })
  expect(await respondTo(500, JSON.stringify(problem))).toMatchObject({ outcome: 'retryable', problem })
  expect(await respondTo(418, '"a teapot"')).toMatchObject({
    outcome: 'rejected',
    problem: { status: 418, code: 'internal', detail: '"a teapot"' },
  })
  expect(await respondTo(302, '{}')).toMatchObject({ outcome: 'retryable' })
  expect(await respondTo(200, '{')).toMatchObject({ outcome: 'retryable', failure: { cause: expect.any(SyntaxError) } })
})
