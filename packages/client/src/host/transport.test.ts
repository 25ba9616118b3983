import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fetchTransport, type Reply } from './transport.ts'

const TIMEOUT_MS = 30_000

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** Sends a request over a network that delivers the bytes that the test passes to `bring`. */
function ask(): { bring(text: string): Promise<void>; end(): void; reply: Promise<Reply> } {
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
    reply: transport({ method: 'GET', path: '/api/sync/pull' }),
    async bring(text) {
      await vi.advanceTimersByTimeAsync(TIMEOUT_MS - 1)
      bytes.enqueue(new TextEncoder().encode(text))
      await vi.advanceTimersByTimeAsync(0)
    },
    end: () => bytes.close(),
  }
}

test('[D7.8] a reply may take long as long as bytes arrive: a slow network is not a dead one', async () => {
  const { bring, end, reply } = ask()
  for (const piece of ['{"version"', ': 7', '}']) await bring(piece)
  end()
  expect(await reply).toMatchObject({ outcome: 'answered', status: 200, body: { version: 7 } })
  expect(vi.getTimerCount()).toBe(0)
})

test('[D7.8] a reply that trickles for ever is given up', async () => {
  const end = new AbortController()
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(end.signal)
  const { bring, reply } = ask()
  expect(timeout).toHaveBeenCalledExactlyOnceWith(20 * TIMEOUT_MS)
  for (const piece of ['{"version"', ': 7']) await bring(piece)
  end.abort()
  expect(await reply).toEqual({ outcome: 'unreachable', retryAfterMs: 0 })
})

test('[D7.8] a reply of which no more bytes arrive is given up', async () => {
  const { bring, reply } = ask()
  await bring('{"version"')
  await vi.advanceTimersByTimeAsync(TIMEOUT_MS)
  expect(await reply).toEqual({ outcome: 'unreachable', retryAfterMs: 0 })
})

const answering = (status: number, headers: Record<string, string> = { 'saldo-protocol': '1' }) =>
  fetchTransport({
    url: 'https://saldo.example',
    fetch: async () => new Response(status === 204 ? null : '{}', { status, headers }),
  })

test.each([
  [[408, 425, 429, 500, 502, 503, 504], 'unreachable'],
  [[400, 403, 404, 409, 410, 412, 413, 422], 'rejected'],
  [[401], 'unauthenticated'],
  [[200, 201, 204], 'answered'],
] as const)('[D7.7] [D7.9] [D7.10] after the statuses %j, a request is %s', async (statuses, outcome) => {
  for (const status of statuses) {
    const reply = await answering(status)({ method: 'PUT', path: '/api/entries/1', body: {} })
    expect(reply.outcome, String(status)).toBe(outcome)
  }
})

test('[D7.7] a change waits if somebody else than the service replies, whatever the status', async () => {
  for (const status of [200, 401, 404, 422]) {
    expect((await answering(status, {})({ method: 'GET', path: '/api/me' })).outcome).toBe('unreachable')
  }
})
