import { createServer as createHttp, type RequestListener } from 'node:http'
import { createServer as createTcp, type Server } from 'node:net'
import { TLSSocket } from 'node:tls'
import { PROTOCOL_VERSION } from '@saldo/core'
import { afterEach, expect, test } from 'vitest'
import { connect } from '../api/connect.ts'
import { OfflineError, WrongServiceError } from '../api/request.ts'
import { fetchTransport, InvalidAddressError } from './transport.ts'

let servers: Server[] = []
afterEach(() => {
  for (const server of servers) server.close()
  servers = []
})

/** Starts a server and resolves to its host and port. */
async function listening(server: Server): Promise<string> {
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `127.0.0.1:${(server.address() as { port: number }).port}`
}
const web = (listener: RequestListener) => listening(createHttp(listener))

/** Returns the error of asking an address for the signed-in user. */
const errorAt = (url: string) =>
  connect({ url, token: 'x' })
    .me()
    .then(
      () => undefined,
      (error: unknown) => error as Error,
    )

test.each(['', 'localhost:7253', 'saldo.example', 'ftp://saldo.example', 'https://', '//saldo.example'])(
  "an address such as '%s' is refused before anything is sent",
  async (url) => {
    expect(() => connect({ url })).toThrow(InvalidAddressError)
    expect(() => fetchTransport({ url })).toThrow(`not '${url}'`)
  },
)

test('another web server at the address is a wrong service, named with what it answers', async () => {
  for (const status of [200, 204, 401, 404, 422]) {
    const host = await web((_, response) => response.writeHead(status, { 'content-type': 'text/html' }).end())
    const error = await errorAt(`http://${host}`)
    expect(error, String(status)).toBeInstanceOf(WrongServiceError)
    expect(error?.message).toBe(`http://${host} is not Saldo: ${status} text/html`)
  }
})

test('a redirect is a wrong address, named with its target', async () => {
  const host = await web((_, response) => response.writeHead(301, { location: 'https://saldo.example/' }).end())
  expect((await errorAt(`http://${host}`))?.message).toContain('is not Saldo: 301 https://saldo.example/')
})

test('[D7.7] a proxy without its service, and a port without a server, are no wrong service', async () => {
  for (const status of [500, 502, 503, 504]) {
    const host = await web((_, response) => response.writeHead(status, { 'content-type': 'text/html' }).end('<h1>Bad'))
    const error = await errorAt(`http://${host}`)
    expect([error instanceof OfflineError, error instanceof WrongServiceError]).toEqual([true, false])
    expect(error?.message).toContain(`is not Saldo: ${status}`)
  }
  const host = await web((_, response) => response.end())
  await new Promise((resolve) => servers.pop()?.close(resolve))
  const error = await errorAt(`http://${host}`)
  expect([error instanceof OfflineError, error instanceof WrongServiceError]).toEqual([true, false])
  expect(error?.message).toContain('ECONNREFUSED')
  expect(error?.cause).toBeInstanceOf(TypeError)
})

test('TLS on a plain port, and a TLS alert where HTTP is expected, is a wrong service, with the cause', async () => {
  const plain = await errorAt(`https://${await web((_, response) => response.end())}`)
  expect(plain).toBeInstanceOf(WrongServiceError)
  expect(plain?.cause).toBeInstanceOf(TypeError)
  const tls = await listening(
    createTcp((socket) => {
      socket.once('data', () => socket.end(Buffer.from([21, 3, 1, 0, 2, 2, 10])))
    }),
  )
  const reverse = await errorAt(`http://${tls}`)
  expect([reverse?.constructor, reverse?.message]).toEqual([
    WrongServiceError,
    expect.stringContaining('HTTPParserError'),
  ])
})

test('a TLS server that hangs up on plain HTTP looks like a failing network: the error asks about https', async () => {
  const tls = createTcp((socket) => void new TLSSocket(socket, { isServer: true }).on('error', () => {}))
  const error = await errorAt(`http://${await listening(tls)}`)
  expect([error?.constructor, error?.message]).toEqual([OfflineError, expect.stringContaining('(http or https?)')])
})

test('[D9.13] a newer service is fine as long as it serves this protocol', async () => {
  const latest = PROTOCOL_VERSION + 5
  const ask = async (protocol: string) => {
    const headers = { 'saldo-protocol': protocol, 'content-type': 'application/json' }
    return errorAt(`http://${await web((_, response) => response.writeHead(200, headers).end('{"user_id":1}'))}`)
  }
  for (const known of ['1', String(latest), `${latest}; from=1`, `${latest};from=${PROTOCOL_VERSION}`]) {
    expect(await ask(known), known).toBeUndefined()
  }
  for (const unknown of [`${latest}; from=${PROTOCOL_VERSION + 1}`, 'next', `${latest}; from=x`, '']) {
    const error = await ask(unknown)
    expect([error instanceof WrongServiceError, (error as WrongServiceError).code]).toEqual([true, 'unknownProtocol'])
    expect(error?.message).toContain(`has protocol ${unknown}, newer than ${PROTOCOL_VERSION}`)
  }
})

test('a defect of the program is thrown as it is, and is never a lack of network', async () => {
  const transport = fetchTransport({ url: 'http://127.0.0.1:9' })
  const circular: Record<string, unknown> = {}
  circular.self = circular
  await expect(transport({ method: 'POST', path: '/', body: circular })).rejects.toThrow('circular')
})
