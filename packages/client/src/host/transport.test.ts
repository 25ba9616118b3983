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

test('[D7.8] an answer may take as long as it comes: a slow network is not a dead one', async () => {
  const { bring, end, reply } = ask()
  for (const piece of ['{"version"', ': 7', '}']) await bring(piece)
  end()
  expect(await reply).toMatchObject({ outcome: 'answered', status: 200, body: { version: 7 } })
  expect(vi.getTimerCount()).toBe(0)
})

test('[D7.8] an answer that trickles for ever is given up', async () => {
  const end = new AbortController()
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(end.signal)
  const { bring, reply } = ask()
  expect(timeout).toHaveBeenCalledExactlyOnceWith(20 * TIMEOUT_MS)
  for (const piece of ['{"version"', ': 7']) await bring(piece)
  end.abort()
  expect(await reply).toEqual({ outcome: 'unreachable', retryAfterMs: 0 })
})

test('[D7.8] an answer of which nothing comes any more is given up', async () => {
  const { bring, reply } = ask()
  await bring('{"version"')
  await vi.advanceTimersByTimeAsync(TIMEOUT_MS)
  expect(await reply).toEqual({ outcome: 'unreachable', retryAfterMs: 0 })
})
