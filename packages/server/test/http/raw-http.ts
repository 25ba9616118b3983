import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { connect } from 'node:net'

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
