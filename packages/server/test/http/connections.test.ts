import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { expect, onTestFinished, test, vi } from 'vitest'
import { AppServer, listen } from '../../src/http/server.ts'
import { startTestService, type TestService } from '../harness.ts'
import { heavyTest } from '../heavy-test.ts'
import { PASSWORD, signUp } from './browser.ts'
import { askForEvents } from './event-client.ts'
import { rawRequest, sendBytes } from './raw-http.ts'
import { fillBuffers, newId, resourceOf } from './resources.ts'

const BIG = '/api/openapi.json'

async function start(): Promise<TestService> {
  const service = await startTestService({ config: { metricsPort: 0 } })
  onTestFinished(() => service.close())
  return service
}

/** The number of requests that the service has answered on a route. */
async function answered({ service }: TestService, route: string): Promise<number> {
  const text = await (await fetch(service.metricsUrl as string)).text()
  const line = text.split('\n').find((line) => line.includes(`_count{method="GET",route="${route}"`))
  return Number(line?.split(' ').at(-1) ?? 0)
}

/** A connection that reads nothing. */
async function connectWithoutReading({ url }: Pick<TestService, 'url'>): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname).pause()
  onTestFinished(() => void socket.destroy())
  await new Promise<void>((resolve) => socket.once('connect', resolve))
  return socket
}

const request = (path: string, ...headers: string[]) =>
  [`GET ${path} HTTP/1.1`, 'host: localhost', ...headers, '', ''].join('\r\n')

test('[D1.28] pipelined requests are answered in their order, one after another', async () => {
  const service = await start()
  const paths = ['/api/health', '/nothing', BIG, '/api/health/live', '/api/version']
  const text = await sendBytes(
    service.url,
    paths.map((path, index) => request(path, ...(index === paths.length - 1 ? ['connection: close'] : []))).join(''),
  )
  expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual([200, 404, 200, 200, 200].map((status) => `HTTP/1.1 ${status}`))
  expect(text.match(/"status":"ok"/g)).toHaveLength(2)
  expect(text).toContain('"build":"test"')
})

test('[D1.28] a request is handled once the client has taken the answer before it', async () => {
  const service = await start()
  const { token } = await service.user()
  const stream = await connectWithoutReading(service)
  stream.write(request('/api/sync/events', `authorization: Bearer ${token}`) + request(BIG).repeat(8))
  await expect.poll(() => answered(service, '/api/sync/events')).toBe(1)
  const before = await answered(service, BIG)
  for (let n = 0; n < 20; n += 1) await service.call('GET', '/api/health')
  expect(await answered(service, BIG)).toBe(before)
})

test('[D1.28] a connection on which more than a few requests wait is closed, and nobody else notices', async () => {
  const service = await start()
  const { token } = await service.user()
  const events = await askForEvents(service, { authorization: `Bearer ${token}` })
  const before = await answered(service, BIG)
  for (let n = 0; n < 10; n += 1) {
    const socket = await connectWithoutReading(service)
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
    socket.on('error', () => undefined)
    socket.write(request(BIG, 'accept-encoding: zstd').repeat(300))
    socket.resume()
    await closed
  }
  expect(await answered(service, BIG)).toBeLessThanOrEqual(before + 10)
  await events.receivesVersion(0)
  expect((await service.call('GET', '/api/health')).status).toBe(200)
})

/** A user with 15 MB of records, more than the buffers of a connection take. */
async function userWithLargeRecords(service: TestService) {
  const browser = await signUp(service)
  const newToken = async (name: string): Promise<string> =>
    (await browser.call('POST', '/api/me/tokens', { json: { name, password: PASSWORD } })).body.token
  const tokens = [await newToken('one'), await newToken('two')] as const
  await fillBuffers(service, browser)
  const cookie = `cookie: ${[...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')}`
  const ofTokens = tokens.map((token) => `authorization: Bearer ${token}`)
  return { token: tokens[0], keys: [...ofTokens, cookie], ofTokens, call: browser.call }
}

/** Asks for exports by each of these headers, of which nothing is read after their beginning. */
async function unreadExports(service: TestService, keys: readonly (string | undefined)[]): Promise<Socket[]> {
  const sockets: Socket[] = []
  for (const key of keys) {
    const socket = await connectWithoutReading(service)
    socket.write(request('/api/me/export', key ?? ''))
    sockets.push(socket)
  }
  for (const socket of sockets) await once(socket.resume(), 'data').then(() => socket.pause())
  return sockets
}

test('[D1.28] a server that stops answers all requests that have arrived, and then closes the connection', async () => {
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const server = new AppServer(({ url }, response) => {
    begin()
    void released.then(() => response.end(`at ${url}`))
  })
  const sent = sendBytes(
    await listen(server.http, '127.0.0.1', 0),
    ['/1', '/2', '/3'].map((path) => request(path)).join(''),
  )
  await begun
  const drained = server.drain(600_000)
  release()
  expect((await sent).match(/at \/\d/g)).toEqual(['at /1', 'at /2', 'at /3'])
  await drained
})

test('[D1.29] four requests of a user are in progress at a time, and others do not wait for them', async () => {
  const service = await start()
  const { keys, call } = await userWithLargeRecords(service)
  const unread = await unreadExports(service, [...keys, keys[0]])
  const fifth = call('GET', '/api/me')
  const other = await service.user()
  for (let n = 0; n < 20; n += 1) await other.call('GET', '/api/me')
  expect(await Promise.race([fifth, Promise.resolve('waits')])).toBe('waits')
  unread[0]?.destroy()
  expect((await fifth).status).toBe(200)
})

test('[D1.29] behind four requests in progress 400 of a user wait, and a further one is refused', async () => {
  const service = await start()
  const { token, keys } = await userWithLargeRecords(service)
  await unreadExports(service, [...keys, keys[0]])
  const answers: string[] = []
  for (let n = 0; n < 405; n += 1) {
    const socket = await connectWithoutReading(service)
    socket.setEncoding('utf8').on('data', (text) => answers.push(String(text).slice(0, 12)))
    socket.write(request('/api/me', `authorization: Bearer ${token}`))
    socket.resume()
  }
  await expect.poll(() => answers).toEqual(Array(5).fill('HTTP/1.1 429'))
  const other = await service.user()
  expect((await other.call('GET', '/api/me')).status).toBe(200)
})

test('[D1.29] requests whose clients leave while they wait keep no place', async () => {
  const service = await start()
  const { keys, token, call } = await userWithLargeRecords(service)
  const other = await service.user()
  const unread = await unreadExports(service, [...keys, keys[0]])
  const waiting: Socket[] = []
  for (let n = 0; n < 8; n += 1) {
    const socket = await connectWithoutReading(service)
    socket.write(request('/api/me', `authorization: Bearer ${token}`))
    waiting.push(socket)
  }
  for (let n = 0; n < 20; n += 1) await other.call('GET', '/api/me')
  for (const socket of waiting) socket.destroy()
  for (let n = 0; n < 20; n += 1) await other.call('GET', '/api/me')
  for (const socket of unread) socket.destroy()
  expect((await call('GET', '/api/me')).status).toBe(200)
})

test('[D1.29] programs that read no answers leave a place for the app of their user', async () => {
  const service = await start()
  const { ofTokens, call } = await userWithLargeRecords(service)
  await unreadExports(service, [ofTokens[0], ofTokens[0], ofTokens[1]])
  const fourth = await connectWithoutReading(service)
  fourth.write(request('/api/me/export', ofTokens[1] ?? ''))
  const other = await service.user()
  for (let n = 0; n < 20; n += 1) await other.call('GET', '/api/me')
  expect((await call('GET', '/api/me/tokens')).status).toBe(200)
})

test('[D8.37] an answer that nobody reads ends with its access', async () => {
  vi.useFakeTimers({ toFake: ['setInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const service = await start()
  const { keys, call } = await userWithLargeRecords(service)
  const tokens: { id: string; name: string }[] = (await call('GET', '/api/me/tokens')).body.items
  const one = tokens.find(({ name }) => name === 'one')
  await unreadExports(service, [...keys, keys[0]])
  const waiting = call('GET', '/api/me')
  const other = await service.user()
  for (let n = 0; n < 20; n += 1) await other.call('GET', '/api/me')
  expect((await call('DELETE', `/api/me/tokens/${one?.id}`)).status).toBe(204)
  expect(await Promise.race([waiting, Promise.resolve('waits')])).toBe('waits')
  vi.advanceTimersByTime(10_000)
  expect((await waiting).status).toBe(200)
})

test('[D1.29] event streams take no place among the four requests', async () => {
  const service = await start()
  const { token, call } = await service.user()
  for (let n = 0; n < 6; n += 1) {
    const stream = await askForEvents(service, { authorization: `Bearer ${token}` })
    await stream.receivesVersion(0)
  }
  expect((await call('GET', '/api/me')).status).toBe(200)
})

heavyTest('[D8.26] an export in many parts has every record once, however it is compressed', async () => {
  const service = await start()
  const { call, token } = await userWithLargeRecords(service)
  const headers = { authorization: `Bearer ${token}` }
  const plain = await rawRequest(service.url, '/api/me/export', { headers })
  const { records } = JSON.parse(plain.body.toString())
  const ids = records.entries.map(({ id }: { id: string }) => id)
  expect(new Set(ids).size).toBe(250)
  expect(ids).toHaveLength(250)
  expect(Object.keys(records)).toHaveLength(5)
  for (const [encoding, decode] of [
    ['zstd', zstdDecompressSync],
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ] as const) {
    const sent = await rawRequest(service.url, '/api/me/export', {
      headers: { ...headers, 'accept-encoding': encoding },
    })
    expect(sent.headers['content-encoding']).toBe(encoding)
    expect(JSON.parse(decode(sent.body).toString()).records).toEqual(records)
  }
  const head = await rawRequest(service.url, '/api/me/export', { method: 'HEAD', headers })
  expect([head.status, head.body.byteLength, head.headers.etag]).toEqual([200, 0, plain.headers.etag])
  expect((await call('GET', '/api/me')).status).toBe(200)
})

test('[D8.26] an export is JSON also where its last part is full', async () => {
  const service = await start()
  const { call } = await service.user()
  const { content } = resourceOf('entries')
  const updated_at = service.clock.now()
  const changes = Array.from({ length: 100 }, (_, index) => ({
    kind: 'entries',
    op: 'upsert',
    record: { ...content, id: newId(), updated_at: new Date(updated_at - index).toISOString() },
  }))
  await call('POST', '/api/sync/push', { json: { changes } })
  const { body } = await call('GET', '/api/me/export')
  const ids = body.records.entries.map(({ id }: { id: string }) => id)
  expect(ids.sort()).toEqual(changes.map(({ record }) => record.id).sort())
})

test('[D9.12] a page of large records ends below its limit, and the next one goes on from there', async () => {
  const service = await start()
  const { call } = await userWithLargeRecords(service)
  const ids = new Set<string>()
  let pages = 0
  for (let cursor: string | null = ''; cursor !== null; pages += 1) {
    const { body, text } = await call('GET', `/api/entries?limit=1000${cursor && `&cursor=${cursor}`}`)
    expect(text.length).toBeLessThan(20_000_000)
    for (const { id } of body.items) ids.add(id)
    cursor = body.next_cursor
  }
  expect(ids.size).toBe(250)
  expect(pages).toBeGreaterThan(1)
})

test('[D1.28] the port of the metrics closes a connection on which more than a few requests wait', async () => {
  const service = await start()
  const socket = await connectWithoutReading({ url: service.service.metricsUrl as string })
  socket.on('error', () => undefined)
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  let text = ''
  socket.setEncoding('utf8').on('data', (piece) => {
    text += piece
  })
  socket.write(request('/metrics').repeat(300))
  socket.resume()
  await closed
  // A connection whose requests are all answered is closed too, when it is idle.
  expect(text.match(/^HTTP\/1\.1 200/gm)?.length ?? 0).toBeLessThan(300)
  await service.call('GET', BIG)
  expect(await answered(service, BIG)).toBeGreaterThan(0)
})

test('[D1.21] 300 clients that send their headers byte by byte delay nobody', async () => {
  const service = await start()
  const { call } = await service.user()
  const sockets: Socket[] = []
  for (let n = 0; n < 300; n += 1) sockets.push(await connectWithoutReading(service))
  for (const byte of request('/api/health').slice(0, 20)) {
    for (const socket of sockets) socket.write(byte)
    expect((await call('GET', '/api/me')).status).toBe(200)
  }
})
