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
    () => {
      teamChanges += 1
    },
  )
  let teamChanges = 0
  const versions: number[] = []
  const outcome = await listen((version) => versions.push(version), new AbortController().signal)
  return { outcome, versions, teamChanges }
}

test('[D5.15] each notification tells its version, however its bytes are split; other lines are ignored', async () => {
  const chunks = [
    'event: version\nda',
    'ta: {"version": 7}\nid: 7\n\n: alive\n\ndata: nothing\n',
    'data: {"version":8}\n\n: was{"version":9}\nretry:{"version":9}\n',
  ]
  expect(await listenTo(chunks)).toEqual({ outcome: 'ended', versions: [7, 8], teamChanges: 0 })
})

test('[D30.4] an event of the team is no version, and says that an answer has changed', async () => {
  const chunks = ['event: version\ndata: {"version":7}\n\nevent: te', 'am\ndata: {}\n\n']
  expect(await listenTo(chunks)).toEqual({ outcome: 'ended', versions: [7], teamChanges: 1 })
})

test('[D5.15] data that names no version is ignored', async () => {
  const chunks = ['{"version":"7"}', '7', 'null', '[]', '{}', '{"version":8}'].map((data) => `data: ${data}\n\n`)
  expect((await listenTo(chunks)).versions).toEqual([8])
})

test('[D7.62] a stream whose line has no end is given up', async () => {
  const chunks = [...Array(70).fill('a'.repeat(1_000)), '\ndata: {"version":8}\n\n']
  expect(await listenTo(chunks)).toEqual({ outcome: 'ended', versions: [], teamChanges: 0 })
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

test('[D5.15] a service without change notifications is not mistaken for the response of somebody else', async () => {
  expect((await listenTo([], { status: 404 })).outcome).toBe('missing')
  expect((await listenTo([], { status: 404, headers: {} as never })).outcome).toBe('ended')
  expect((await listenTo([], { status: 503 })).outcome).toBe('ended')
})

/** Listens over a stream that brings nothing by itself. */
function listenQuietly(status = 200) {
  const clock = new ManualClock()
  const calls: { url: string; signal: AbortSignal | null | undefined }[] = []
  let stream: ReadableStreamDefaultController<Uint8Array>
  const fetch = (async (url: URL, { signal }: RequestInit) => {
    calls.push({ url: url.href, signal })
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        stream = controller
      },
    })
    signal?.addEventListener('abort', () => stream.error(signal.reason))
    return new Response(body, { status, headers: { 'saldo-protocol': '1' } })
  }) as typeof globalThis.fetch
  let outcome: string | undefined
  const listen = fetchNotifications({ url: 'https://saldo.example', fetch }, clock)
  const ended = listen(() => {}, new AbortController().signal).then((is) => {
    outcome = is
  })
  return {
    calls,
    ended,
    outcomeAfter: async (ms: number) => {
      await new Promise((resolve) => setImmediate(resolve))
      clock.pass(ms)
      await new Promise((resolve) => setImmediate(resolve))
      return outcome
    },
    comment: () => stream.enqueue(new TextEncoder().encode(': alive\n')),
  }
}

test('[D5.21] a stream lives as long as comments come, and is given up a minute after the last one', async () => {
  const { calls, comment, outcomeAfter } = listenQuietly()
  for (let comments = 0; comments < 3; comments += 1) {
    expect(await outcomeAfter(59_999)).toBeUndefined()
    comment()
  }
  expect(await outcomeAfter(59_999)).toBeUndefined()
  expect(await outcomeAfter(1)).toBe('ended')
  expect(calls.map(({ url }) => url)).toEqual(['https://saldo.example/api/sync/events'])
})

test('[D5.24] a response that is no stream leaves no connection open', async () => {
  const { calls, ended } = listenQuietly(404)
  await ended
  expect(calls.map(({ signal }) => signal?.aborted)).toEqual([true])
})
