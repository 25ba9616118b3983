import { createHook } from 'node:async_hooks'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { startTestService } from '../harness.ts'
import { bodies } from '../http/bodies.ts'
import { signUp } from '../http/browser.ts'
import { rawRequest, sendBytes } from '../http/raw-http.ts'

/** Somebody else's server, who must never hear of us. */
const elsewhere = createServer((_request, response) => response.end())
let visits = 0
elsewhere.on('connection', () => {
  visits += 1
})
await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve))
const host = `127.0.0.1:${(elsewhere.address() as AddressInfo).port}`
const service = await startTestService({ now: new Date().toISOString(), config: { trustedProxies: 1 } })
afterAll(async () => {
  await service.close()
  elsewhere.close()
})

/** The resources that reach out of a process: connections, datagrams, name look-ups and child processes. */
const WAYS_OUT = ['TCPCONNECTWRAP', 'PIPECONNECTWRAP', 'UDPSENDWRAP', 'GETADDRINFOREQWRAP', 'QUERYWRAP', 'PROCESSWRAP']

async function waysOutOf(done: () => Promise<unknown>): Promise<Record<string, number>> {
  const ways: Record<string, number> = {}
  const note = (type: string) => {
    if (WAYS_OUT.includes(type)) ways[type] = (ways[type] ?? 0) + 1
  }
  const hook = createHook({ init: (_id, type) => note(type) }).enable()
  await done()
  hook.disable()
  return ways
}

test('[D8.25] SSRF: the service opens no connection to hosts that requests name', async () => {
  const browser = await signUp(service)
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const url = service.url.replace('localhost', '127.0.0.1')
  const target = `http://${host}/`
  const hosts = { note: target, project: target, tags: [target], import_ref: target, source: target, reason: target }
  const unknown = { url: target, callbackURL: target, redirect: target, image: target, webhook: target }
  const headers = {
    cookie,
    origin: url,
    'sec-fetch-site': 'same-origin',
    'content-type': 'application/json',
    referer: target,
    'x-forwarded-for': host,
    'x-forwarded-host': host,
    'x-forwarded-proto': 'https',
    forwarded: `host=${host}`,
    'x-original-url': target,
    'user-agent': target,
  }
  let ours = 0
  const ways = await waysOutOf(async () => {
    const seen = []
    for (const [operation, list] of Object.entries(bodies)) {
      const [method = '', path = ''] = operation.split(' ')
      const json = { ...list[0], ...hosts, ...unknown, ...(operation === 'POST /api/me/tokens' && { name: target }) }
      const at = path.replace('{id}', '0197c8a0-0000-7000-8000-000000000000')
      seen.push((await rawRequest(url, `${at}?url=${target}`, { method, headers, body: JSON.stringify(json) })).status)
      ours += 1
    }
    expect(seen.filter((status) => status < 300).length).toBeGreaterThan(6)
    for (const path of [`/?url=${target}`, `//${host}/`, '/api/sync/pull?since=0', '/api/me', '/api/docs']) {
      await rawRequest(url, path, { headers: { ...headers, host } })
      ours += 1
    }
    // As to a proxy.
    for (const line of [`GET ${target} HTTP/1.1`, `CONNECT ${host} HTTP/1.1`]) {
      await sendBytes(url, `${line}\r\nhost: ${host}\r\nconnection: close\r\n\r\n`)
      ours += 1
    }
    await service.service.runDueJobs()
  })
  expect(ways).toEqual({ TCPCONNECTWRAP: ours })
  expect(visits).toBe(0)
})
