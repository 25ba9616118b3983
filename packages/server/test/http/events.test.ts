import { once } from 'node:events'
import { connect } from 'node:net'
import { instantOf } from '@saldo/core'
import { expect, onTestFinished, test } from 'vitest'
import { serviceOfFile } from '../file-service.ts'
import { startTestService } from '../harness.ts'
import { type Browser, openBrowser, PASSWORD, signUp } from './browser.ts'
import { askForEvents } from './event-client.ts'
import { counterOf, create, newId, push, resourceOf, timeOf } from './resources.ts'

const entries = resourceOf('entries')
const settings = resourceOf('settings_history')

// Sessions live by the computer's clock.
const service = await serviceOfFile({ now: new Date().toISOString() })

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const cookieOf = ({ cookies }: Browser) => ({ cookie: [...cookies].map((pair) => pair.join('=')).join('; ') })

/** A user with a stream open. */
async function listener() {
  const user = await service.user()
  const stream = await askForEvents(service, bearer(user.token))
  await stream.receivesVersion(0)
  return { ...user, stream }
}

test('[D5.15] [D5.16] the stream begins with the current version and a retry time', async () => {
  const { call, token } = await service.user()
  await create(call, entries, entries.content)
  await create(call, entries, entries.content)
  // Last-Event-ID changes nothing.
  for (const id of [undefined, '1', '2', '99', '-1', 'garbage', '🕰'.repeat(9), 'x'.repeat(5_000)]) {
    const headers = { ...bearer(token), ...(id && { 'last-event-id': encodeURI(id), 'accept-encoding': 'zstd, gzip' }) }
    const stream = await askForEvents(service, headers)
    await stream.receivesVersion(2)
    expect(stream.text).toBe('retry: 5000\nid: 2\nevent: version\ndata: {"version":2}\n\n')
    expect(stream.status).toBe(200)
    expect(stream.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'saldo-protocol': '3',
      'x-request-id': expect.any(String),
      'x-content-type-options': 'nosniff',
    })
    expect(stream.headers).not.toHaveProperty('content-encoding')
    expect(stream.headers).not.toHaveProperty('content-length')
    stream.drop()
  }
})

test('[D5.17] a push of another device sends an event with the version that a pull leads to', async () => {
  const { call, stream } = await listener()
  const content = entries.content
  const upsert = (seq: number) => {
    const record = { ...content, id: newId(), updated_at: timeOf(service) }
    return { kind: 'entries', op: 'upsert', seq, record }
  }
  await push(call, [upsert(1), upsert(2), upsert(3)], newId())
  await stream.receivesVersion(3)
  expect(stream.versions).toEqual([0, 3])
  // A push without a change sends no change notification.
  await push(call, [{ ...upsert(4), record: {} }], newId())
  await push(call, [upsert(5)], newId())
  await stream.receivesVersion(4)
  expect(stream.versions).toEqual([0, 3, 4])
})

test('[D5.18] a create, update or delete over REST reaches every stream of the user and nobody else', async () => {
  const { call, stream, token } = await listener()
  const second = await askForEvents(service, bearer(token))
  const stranger = await listener()
  const { id } = await create(call, entries, entries.content)
  await Promise.all([stream.receivesVersion(1), second.receivesVersion(1)])
  await call('PUT', `/api/entries/${id}`, { json: entries.other })
  await stream.receivesVersion(2)
  await call('DELETE', `/api/entries/${id}`)
  await Promise.all([stream.receivesVersion(3), second.receivesVersion(3)])
  await create(stranger.call, settings, settings.content)
  await stranger.stream.receivesVersion(1)
  expect(stranger.stream.versions).toEqual([0, 1])
})

test('[D5.17] closing, reopening and auto-close send events', async () => {
  const { call, stream } = await listener()
  await create(call, settings, { ...settings.content, effective_from: '2020-01-06' })
  await stream.receivesVersion(1)
  await call('POST', '/api/closed-weeks', { json: { week: '2020-W02' } })
  const closed = await counterOf(call)
  expect(closed).toBeGreaterThan(1)
  await stream.receivesVersion(closed)
  await call('DELETE', '/api/closed-weeks/2020-W02')
  const reopened = await counterOf(call)
  expect(reopened).toBeGreaterThan(closed)
  await stream.receivesVersion(reopened)

  const auto_close = { day_after_ms: 0, week_after_days: 0 }
  await create(call, settings, { ...settings.content, effective_from: '2020-02-03', auto_close })
  const scheduled = await counterOf(call)
  await service.service.runDueJobs()
  const done = await counterOf(call)
  expect(done).toBeGreaterThan(scheduled)
  await stream.receivesVersion(done)
})

test('[D5.17] a long recomputation sends events as it proceeds', async () => {
  const { call, stream } = await listener()
  const auto_close = { day_after_ms: 0, week_after_days: 0 }
  await create(call, settings, { ...settings.content, effective_from: '2020-01-06', auto_close })
  await service.service.runDueJobs()
  const target_ms = [0, 0, 0, 0, 0, 0, 3_600_000]
  await create(call, settings, { ...settings.content, effective_from: '2020-01-06', target_ms })
  expect((await call('GET', '/api/balance')).body.recomputing).not.toEqual([])
  await stream.receivesVersion(await counterOf(call))
  await service.service.runDueJobs()
  expect((await call('GET', '/api/balance')).body.recomputing).toEqual([])
  await stream.receivesVersion(await counterOf(call))
})

test('[D5.17] many changes at once cause few events, in order, the last version among them', async () => {
  const { call, stream } = await listener()
  await Promise.all(Array.from({ length: 100 }, () => create(call, entries, entries.content)))
  await stream.receivesVersion(100)
  expect(stream.versions).toEqual([...new Set(stream.versions)].sort((a, b) => a - b))
  expect(stream.versions.length).toBeLessThan(100)
})

test('[D5.21] a quiet stream is kept alive by comments', async () => {
  const { call, stream } = await listener()
  const before = stream.text
  const passRounds = async (count: number) => {
    for (let round = 0; round < count; round += 1) await service.service.heartbeat()
  }
  await passRounds(6)
  await stream.receives(/\n\n:\n\n$/)
  await passRounds(5)
  await create(call, entries, entries.content)
  await stream.receivesVersion(1)
  // An event shows it as well.
  await passRounds(5)
  expect(stream.versions).toEqual([0, 1])
  expect(stream.text.match(/^:$/gm)).toHaveLength(1)
  await passRounds(1)
  await stream.receives(/:\n\n.+\n\n:\n\n$/s)
  expect(stream.text.startsWith(`${before}:\n\n`)).toBe(true)
})

test('[D8.4] without a user there is no stream, and HEAD gets only the headers', async () => {
  const { status, body } = await service.call('GET', '/api/sync/events')
  expect([status, body.code]).toEqual([401, 'unauthenticated'])
  const { token } = await service.user()
  // Were they counted, there would be too many.
  for (let n = 0; n < 25; n += 1) {
    const head = await askForEvents(service, bearer(token), 'HEAD')
    await head.ended()
    expect([head.status, head.text]).toEqual([200, ''])
    expect(head.headers['content-type']).toBe('text/event-stream')
  }
})

test('[D5.22] a stream ends with its session or token, and other streams stay open', async () => {
  const leaving = await signUp(service, 'leaving@example.com')
  const { token, id } = (await leaving.call('POST', '/api/me/tokens', { json: { name: 'cron', password: PASSWORD } }))
    .body
  const other = await signUp(service)
  const staying = await listener()
  const signedIn = async () => {
    const browser = openBrowser(service)
    await browser.call('POST', '/api/auth/sign-in', { json: { email: 'leaving@example.com', password: PASSWORD } })
    return { browser, stream: await askForEvents(service, cookieOf(browser)) }
  }
  const [signingOut, ended] = [await signedIn(), await signedIn()]
  const ofToken = await askForEvents(service, bearer(token))
  const first = await askForEvents(service, cookieOf(leaving))
  const ofOther = await askForEvents(service, cookieOf(other))

  await service.service.heartbeat()
  await signingOut.browser.call('POST', '/api/auth/sign-out')
  await service.service.heartbeat()
  await signingOut.stream.ended()

  const sessions = (await ended.browser.call('GET', '/api/me/sessions')).body.items
  const { id: session } = sessions.find(({ current }: { current: boolean }) => current)
  await leaving.call('DELETE', `/api/me/sessions/${session}`)
  await service.service.heartbeat()
  await ended.stream.ended()

  await leaving.call('DELETE', `/api/me/tokens/${id}`)
  await service.service.heartbeat()
  await ofToken.ended()

  const etag = (await leaving.call('GET', '/api/me/export')).headers.get('etag') ?? ''
  const removed = await leaving.call('DELETE', '/api/me', {
    json: { password: PASSWORD },
    headers: { 'if-match': etag },
  })
  expect(removed.status).toBe(204)
  await service.service.heartbeat()
  await first.ended()

  await create(staying.call, entries, entries.content)
  await staying.stream.receivesVersion(1)
  await create(other.call, entries, entries.content)
  await ofOther.receivesVersion(1)
})

test('[D5.22] a stream ends when its session expires', async () => {
  const browser = await signUp(service)
  const stream = await askForEvents(service, cookieOf(browser))
  service.clock.advance(59 * 86_400_000)
  await service.service.heartbeat()
  await create(browser.call, entries, entries.content)
  await stream.receivesVersion(1)
  // The write extended the session.
  service.clock.advance(61 * 86_400_000)
  await service.service.heartbeat()
  await stream.ended()
  service.clock.advance(-120 * 86_400_000)
})

test('[D5.22] [D21.4] a stream ends when its token expires', async () => {
  const expires_at = instantOf(service.clock.now() + 60_000)
  const { token } = await service.user('expiring@example.com', { scope: 'read', expires_at })
  const stream = await askForEvents(service, bearer(token))
  service.clock.advance(60_000)
  await service.service.heartbeat()
  await stream.ended()
  service.clock.advance(-60_000)
})

test('[D5.22] [D8.16] a stream ends a year and a day after its session began, however much it is used', async () => {
  const browser = await signUp(service)
  const stream = await askForEvents(service, cookieOf(browser))
  const dayMs = 86_400_000
  for (let day = 50; day <= 350; day += 50) {
    service.clock.advance(50 * dayMs)
    await create(browser.call, entries, entries.content)
  }
  service.clock.advance(15.9 * dayMs)
  await service.service.heartbeat()
  await create(browser.call, entries, entries.content)
  await stream.receivesVersion(8)
  service.clock.advance(0.2 * dayMs)
  await service.service.heartbeat()
  await stream.ended()
  service.clock.advance(-366.1 * dayMs)
})

test('[D5.24] a user can have 20 streams and a token 10; one more is 429 with Retry-After until one ends', async () => {
  const { user, token, call, stream } = await listener()
  const [second, third] = [await service.anotherToken(user), await service.anotherToken(user)]
  const streams = [stream]
  const fill = async (count: number, of: string) => {
    while (streams.length < count) streams.push(await askForEvents(service, bearer(of)))
    const { status, body, headers } = await call('GET', '/api/sync/events')
    expect([status, body.code]).toEqual([429, 'rate_limited'])
    expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
  }
  await fill(10, token)
  expect((await service.call('GET', '/api/sync/events', { token: second })).status).toBe(200)
  await fill(20, second)
  expect((await service.call('GET', '/api/sync/events', { token: third })).status).toBe(429)
  // It is the user's limit, not the service's.
  await listener()
  streams.pop()?.drop()
  const ofThird = () => service.call('GET', '/api/sync/events', { token: third })
  await expect.poll(async () => (await ofThird()).status).toBe(200)
  await create(call, entries, entries.content)
  await Promise.all(streams.map((one) => one.receivesVersion(1)))
})

test('[D5.24] a dropped connection frees its stream at any moment', async () => {
  const browser = await signUp(service)
  const { token } = (await browser.call('POST', '/api/me/tokens', { json: { name: 'cron', password: PASSWORD } })).body
  const { hostname, port } = new URL(service.url)
  const line = 'GET /api/sync/events HTTP/1.1\r\nhost: localhost\r\n'
  for (let n = 0; n < 120; n += 1) {
    const socket = connect(Number(port), hostname)
    onTestFinished(() => void socket.destroy())
    // Looking up a session takes longer than a token.
    const head = `${line}${n % 5 < 3 ? `cookie: ${cookieOf(browser).cookie}` : `authorization: Bearer ${token}`}\r\n\r\n`
    const pieces = [head, head + head, `${head}no HTTP\r\n\r\n`]
    await new Promise((resolve) => socket.write(pieces[n % 3] ?? head, resolve))
    // At once, after the first of the answer, half-open, or broken off.
    if (n % 4 === 1) await new Promise((resolve) => socket.once('data', resolve))
    if (n % 4 === 2) socket.end()
    else if (n % 4 === 3) socket.resetAndDestroy()
    else socket.destroy()
  }
  const streams = []
  while (streams.length < 20) {
    const stream = await askForEvents(service, streams.length < 10 ? bearer(token) : cookieOf(browser))
    if (stream.status === 200) streams.push(stream)
  }
  await create(browser.call, entries, entries.content)
  await Promise.all(streams.map((one) => one.receivesVersion(1)))
  expect(service.log.filter(({ level }) => level === 'error')).toEqual([])
})

test('[D1.28] a stream that is pipelined behind another begins when that one has ended', async () => {
  const browser = await signUp(service)
  const { hostname, port } = new URL(service.url)
  const socket = connect(Number(port), hostname)
  onTestFinished(() => void socket.destroy())
  let text = ''
  socket.setEncoding('utf8').on('data', (piece) => {
    text += piece
  })
  const ask = `GET /api/sync/events HTTP/1.1\r\nhost: localhost\r\ncookie: ${cookieOf(browser).cookie}\r\n`
  socket.write(`${ask}\r\n${ask}connection: close\r\n\r\n`)
  await expect.poll(() => text).toMatch(/^data: /m)
  expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200'])
  const closed = once(socket, 'close')
  await browser.call('POST', '/api/auth/sign-out')
  await service.service.heartbeat()
  await closed
  expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 401'])
})

test('[D5.23] when the service stops, streams end at once and do not delay it', async () => {
  const stopping = await startTestService()
  const { token, call } = await stopping.user()
  const streams = []
  while (streams.length < 9) streams.push(await askForEvents(stopping, bearer(token)))
  // One that sees that something comes, and never reads it.
  const { hostname, port } = new URL(stopping.url)
  const silent = connect({ port: Number(port), host: hostname, allowHalfOpen: true })
  onTestFinished(() => void silent.destroy())
  silent.write(`GET /api/sync/events HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${token}\r\n\r\n`)
  await once(silent, 'readable')
  await create(call, entries, entries.content)
  await Promise.all(streams.map((stream) => stream.receivesVersion(1)))
  await stopping.close()
  await Promise.all(streams.map((stream) => stream.ended()))
  expect(stopping.log.filter(({ level }) => level === 'error')).toEqual([])
})
