import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import type { Fault } from './exchange.ts'
import {
  captivePortal,
  captiveRedirect,
  cutAfter,
  cutBefore,
  cutInside,
  Gate,
  gatewaySays,
  serviceSays,
  slowBack,
  slowThere,
} from './faults.ts'
import { FaultProxy } from './proxy.ts'

/** A service that counts what reaches it. */
async function counting() {
  const reached: string[] = []
  const server = createServer((request, response) => {
    reached.push(`${request.method} ${request.url}`)
    response.writeHead(200, { 'saldo-protocol': '1' }).end('x'.repeat(100_000))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { reached, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

async function opened() {
  const { reached, url } = await counting()
  const proxy = await FaultProxy.open(new Map([['/a/', { type: 'text/plain', body: 'a page' }]]), url)
  onTestFinished(() => proxy.close())
  const ask = async (path: string, tab?: string) => {
    const referer: Record<string, string> = tab === undefined ? {} : { referer: `${proxy.url}/a/?tab=${tab}` }
    const response = await fetch(proxy.url + path, { headers: referer, redirect: 'manual' })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
  return { proxy, reached, ask }
}

test('the proxy serves the pages and forwards other requests to the service', async () => {
  const { proxy, reached, ask } = await opened()
  expect((await ask('/a/?tab=one')).text).toBe('a page')
  expect((await ask('/api/entries?limit=1', 'one')).text).toHaveLength(100_000)
  expect(reached).toEqual(['GET /api/entries?limit=1'])
  expect(proxy.requests).toMatchObject([{ path: '/api/entries?limit=1', tab: 'one', status: 200 }])
})

test.each<[string, Fault, number]>([
  ['before the service', cutBefore, 0],
  ['after the service', cutAfter, 1],
  ['inside the answer', cutInside, 1],
])('a request that is cut %s has no answer', async (_where, fault, times) => {
  const { proxy, reached, ask } = await opened()
  proxy.put({ times: 1 }, fault)
  await expect(ask('/api/entries')).rejects.toThrow(TypeError)
  expect(reached).toHaveLength(times)
  expect((await ask('/api/entries')).status).toBe(200)
})

test.each<[string, Fault, number, string | null]>([
  ['a captive portal', captivePortal, 200, null],
  ['a captive portal that redirects', captiveRedirect, 302, null],
  ['a gateway', gatewaySays(503), 503, null],
  ['the service itself', serviceSays(429, 'rate_limited', { 'retry-after': '7' }), 429, '1'],
])('%s answers instead', async (_who, fault, status, protocol) => {
  const { proxy, reached, ask } = await opened()
  const trouble = proxy.put({ on: /^GET \/api\/entries/, tab: 'one' }, fault)
  const answer = await ask('/api/entries', 'one')
  expect([answer.status, answer.headers.get('saldo-protocol')]).toEqual([status, protocol])
  expect((await ask('/api/entries', 'two')).status).toBe(200)
  expect((await ask('/api/settings', 'one')).status).toBe(200)
  expect(trouble.met).toHaveLength(1)
  trouble.lift()
  expect((await ask('/api/entries', 'one')).status).toBe(200)
  expect(reached).toHaveLength(3)
})

test('a slow request is delayed before the service, a slow answer after it', async () => {
  const { proxy, reached, ask } = await opened()
  const gates = [new Gate(), new Gate()] as const
  proxy.put({ on: /there/ }, slowThere(gates[0]))
  proxy.put({ on: /back/ }, slowBack(gates[1]))
  const asked = [ask('/api/there'), ask('/api/back')]
  await proxy.until(() => proxy.requests.length === 2 && proxy.sent(/back/)[0]?.status === 200)
  expect(reached).toEqual(['GET /api/back'])
  for (const gate of gates) gate.open()
  expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([200, 200])
})

test('requests fail while the service is down, and succeed once it is back on another port', async () => {
  const { proxy, ask } = await opened()
  const { upstream } = proxy
  proxy.upstream = undefined
  await expect(ask('/api/entries')).rejects.toThrow(TypeError)
  proxy.upstream = upstream
  expect((await ask('/api/entries')).status).toBe(200)
})
