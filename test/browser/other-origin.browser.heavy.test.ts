import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { startTestService } from '../../packages/server/test/harness.ts'
import { pageOfTest } from './pages.ts'

/** Serves an empty page. Returns its origin. */
async function servePage(): Promise<string> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Board</title>')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return `http://localhost:${(server.address() as AddressInfo).port}`
}

/** Returns what a page of an origin gets from the service. */
async function resultsIn(origin: string, url: string, token: string) {
  const { page } = await pageOfTest(origin)
  return page.evaluate(
    async ({ url, token }) => {
      const ask = async (path: string, init: RequestInit = {}) => {
        const authorization = `Bearer ${token}`
        const headers = { authorization, 'content-type': 'application/json', ...init.headers }
        return fetch(url + path, { ...init, headers })
      }
      const textOf = async (answer: Promise<string>) => answer.catch((error: Error) => error.name)
      const entry = { kind: 'vacation', date: '2026-11-20', day_share: 1 }
      return {
        version: await textOf(fetch(`${url}/api/version`).then(async (answer) => `${answer.status}`)),
        created: await textOf(
          ask('/api/entries', { method: 'POST', body: JSON.stringify(entry) }).then(
            (answer) => `${answer.status} ${answer.headers.has('etag')}`,
          ),
        ),
        event: await textOf(
          ask('/api/sync/events').then(async ({ body }) => {
            const reader = (body as ReadableStream<Uint8Array>).getReader()
            const { value } = await reader.read()
            await reader.cancel()
            return new TextDecoder().decode(value).includes('event: version') ? 'event' : 'none'
          }),
        ),
        tokens: await textOf(ask('/api/me/tokens').then(async ({ status }) => `${status}`)),
        withCookies: await textOf(ask('/api/me', { credentials: 'include' }).then(async ({ status }) => `${status}`)),
      }
    },
    { url, token },
  )
}

test('[D21.6] [D21.7] in a browser, pages of allowed origins work with a token, and no others do', async () => {
  const [board, evil] = [await servePage(), await servePage()]
  const service = await startTestService({ config: { allowedOrigins: [board] } })
  onTestFinished(() => service.close())
  const { token } = await service.user()
  const failed = 'TypeError'
  expect(await resultsIn(board, service.url, token)).toEqual({
    version: '200',
    created: '201 true',
    event: 'event',
    tokens: failed,
    withCookies: failed,
  })
  const nothing = { version: failed, created: failed, event: failed, tokens: failed, withCookies: failed }
  expect(await resultsIn(evil, service.url, token)).toEqual(nothing)
})
