import { connect, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { startTestService, type TestService } from '../harness.ts'
import { askForEvents } from './event-client.ts'
import { sendBytes } from './raw-http.ts'

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
async function connectWithoutReading({ url }: TestService): Promise<Socket> {
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
