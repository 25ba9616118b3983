import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { connect, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** An answer as it came over the wire: nothing decoded. */
export interface RawResponse {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
}

interface RawRequest {
  method?: string
  headers?: Record<string, string | string[]>
  body?: string | Buffer
}

/** Sends a request exactly as given; `fetch` would decode, complete or refuse it. */
export function rawRequest(url: string, path: string, { method = 'GET', headers = {}, body }: RawRequest = {}) {
  return new Promise<RawResponse>((resolve, reject) => {
    const sent = httpRequest(url, { method, path, headers, agent: false }, (incoming) => {
      const chunks: Buffer[] = []
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
      incoming.on('error', reject)
      incoming.on('end', () =>
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: Buffer.concat(chunks) }),
      )
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

/** Sends bytes over a new connection and returns all that comes back until the service ends it. */
export function sendBytes(url: string, ...parts: (string | Uint8Array)[]): Promise<string> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname)
    const chunks: Buffer[] = []
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    socket.on('close', () => resolve(Buffer.concat(chunks).toString('latin1')))
    // The bytes before the connection broke are the response.
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (!['ECONNRESET', 'EPIPE'].includes(error.code ?? '')) reject(error)
    })
    for (const part of parts) socket.write(part)
  })
}

/** A request that was begun over a connection of its own. */
export interface BegunRequest {
  socket: Socket
  /** The status of the response; 0 without one. */
  status(): number
}

/** Sends the beginning of a request. The connection is closed after the test. */
export function beginRequest(url: string, text: string): BegunRequest {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  onTestFinished(() => void socket.destroy())
  let received = ''
  socket.setEncoding('utf8').on('data', (piece) => {
    received += piece
  })
  socket.write(text)
  return { socket, status: () => Number(/HTTP\/1.1 (\d+)/.exec(received)?.[1] ?? 0) }
}

/** Begins to send a body of spaces in chunks, and does not end it. */
export function unfinishedBody(url: string, path: string, bytes: number, token?: string): BegunRequest {
  const lines = [`POST ${path} HTTP/1.1`, 'host: localhost', 'content-type: application/json']
  const signIn = token === undefined ? [] : [`authorization: Bearer ${token}`]
  const chunk = `${bytes.toString(16)}\r\n${' '.repeat(bytes)}\r\n`
  return beginRequest(url, [...lines, ...signIn, 'transfer-encoding: chunked', '', chunk].join('\r\n'))
}
