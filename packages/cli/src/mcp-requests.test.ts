import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { senderTo } from './mcp-requests.ts'

const SALDO = { 'saldo-protocol': '1', 'content-type': 'application/json' }

/** Starts a server that answers every request alike. Returns a sender to it and the requests that it got. */
async function begin(status: number, body: string, headers: Record<string, string> = SALDO) {
  const requests: { method: string; url: string; headers: IncomingHttpHeaders; body: string }[] = []
  const server = createServer((request, response) => {
    const { method = '', url = '', headers: sent } = request
    void text(request).then((sentBody) => {
      requests.push({ method, url, headers: sent, body: sentBody })
      response.writeHead(status, headers).end(body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, requests, send: senderTo({ url, token: 'saldo_own' }) }
}

test('[D21.11] a request has the token, and a change its body and the version that it may replace', async () => {
  const { send, requests } = await begin(200, '{"a":1}', { ...SALDO, etag: '"7"' })
  expect(await send({ method: 'GET', path: '/api/balance' })).toEqual({ value: { a: 1 }, etag: '"7"' })
  await send({ method: 'PUT', path: '/api/entries/x', body: { note: 'é' }, ifMatch: '"6"' })
  const [read, written] = requests
  expect(read).toMatchObject({
    method: 'GET',
    url: '/api/balance',
    body: '',
    headers: { authorization: 'Bearer saldo_own' },
  })
  expect(read?.headers).not.toHaveProperty('if-match')
  expect(written).toMatchObject({ method: 'PUT', body: '{"note":"é"}' })
  expect(written?.headers).toMatchObject({ 'content-type': 'application/json', 'if-match': '"6"' })
})

test('an answer without a body has no value', async () => {
  const { send } = await begin(204, '', { 'saldo-protocol': '1' })
  expect(await send({ method: 'DELETE', path: '/api/entries/x' })).toEqual({ value: undefined, etag: undefined })
})

test('a refusal has status, title, detail and each fault of the input', async () => {
  const errors = [{ pointer: '/note', detail: 'must be text' }, 'odd', { pointer: '/tags', detail: 'must be a list' }]
  const fields = { status: 422, code: 'invalid_record', title: 'Invalid', detail: 'Look at the fields.' }
  const problem = await begin(422, JSON.stringify({ ...fields, errors }))
  await expect(problem.send({ method: 'POST', path: '/', body: {} })).rejects.toThrow(
    /^422 Invalid: Look at the fields\.\n\/note must be text\n\/tags must be a list$/,
  )
  const odd = await begin(422, JSON.stringify({ ...fields, errors: 'none' }))
  await expect(odd.send({ method: 'GET', path: '/' })).rejects.toThrow(/^422 Invalid: Look at the fields\.$/)
  const bare = await begin(502, 'gateway')
  await expect(bare.send({ method: 'GET', path: '/' })).rejects.toThrow(/^The service at \S+ cannot be reached\.$/)
})

test('an answer of another program is an error, and a redirect does not carry the token on', async () => {
  const other = await begin(200, '{}', {})
  await expect(other.send({ method: 'GET', path: '/' })).rejects.toThrow(`There is no Saldo at ${other.url}.`)
  const proxy = await begin(404, 'not found', {})
  await expect(proxy.send({ method: 'GET', path: '/' })).rejects.toThrow(`There is no Saldo at ${proxy.url}.`)
  const target = await begin(200, '{}')
  const redirecting = await begin(302, '', { ...SALDO, location: target.url })
  await expect(redirecting.send({ method: 'GET', path: '/' })).rejects.toThrow()
  expect(target.requests).toEqual([])
})
