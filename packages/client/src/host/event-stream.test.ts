import { expect, test } from 'vitest'
import { ManualClock } from '../../test/manual-clock.ts'
import { fetchNotifications } from './event-stream.ts'

/** Listens to a service that answers with these chunks, and returns the versions that it told. */
async function listenTo(chunks: readonly string[], { status = 200, headers = { 'saldo-protocol': '1' } } = {}) {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk))
      controller.close()
    },
  })
  const listen = fetchNotifications(
    { url: 'https://saldo.example', fetch: async () => new Response(body, { status, headers }) },
    new ManualClock(),
  )
  const versions: number[] = []
  const outcome = await listen((version) => versions.push(version), new AbortController().signal)
  return { outcome, versions }
}

test('[D5.15] each notification tells its version, however its bytes are split; other lines are ignored', async () => {
  const chunks = [
    'event: version\nda',
    'ta: {"version": 7}\nid: 7\n\n: alive\n\ndata: nothing\n',
    'data: {"version":8}\n\n: was{"version":9}\nretry:{"version":9}\n',
  ]
  expect(await listenTo(chunks)).toEqual({ outcome: 'ended', versions: [7, 8] })
})

test('[D5.15] data that names no version is ignored', async () => {
  const chunks = ['{"version":"7"}', '7', 'null', '[]', '{}', '{"version":8}'].map((data) => `data: ${data}\n\n`)
  expect((await listenTo(chunks)).versions).toEqual([8])
})

test('[D5.15] a stream ends when nobody listens any more', async () => {
  const end = new AbortController()
  const fetch = (async (_url, { signal } = {}) => {
    end.abort()
    signal?.throwIfAborted()
    throw new Error('the request goes on')
  }) as typeof globalThis.fetch
  let isAborted = false
  const listen = fetchNotifications(
    {
      url: 'https://saldo.example',
      fetch: async (...request) => {
        const response = fetch(...request)
        isAborted = request[1]?.signal?.aborted === true
        return response
      },
    },
    new ManualClock(),
  )
  expect(await listen(() => {}, end.signal)).toBe('ended')
  expect(isAborted).toBe(true)
})

test('[D5.15] a service without change notifications is not mistaken for the answer of somebody else', async () => {
  expect((await listenTo([], { status: 404 })).outcome).toBe('missing')
  expect((await listenTo([], { status: 404, headers: {} as never })).outcome).toBe('ended')
  expect((await listenTo([], { status: 503 })).outcome).toBe('ended')
})
