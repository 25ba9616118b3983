import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'

// biome-ignore lint/suspicious/noExplicitAny: a planted fault reaches into whatever goes over the wire
type Json = any

/** A request on its way to the service, which a fault may change. */
export interface ProxiedRequest {
  method: string
  /** With its query. */
  path: string
  headers: Record<string, string>
  /** The body; `undefined` where it is no JSON. */
  json: Json
}

/** An answer on its way back, which a fault may change. */
export interface ProxiedResponse {
  status: number
  headers: Record<string, string>
  json: Json
}

/** Changes of a service's requests and responses. */
export interface Alteration {
  /** Changes a request. If it returns a response, the request does not reach the service. */
  onRequest?(request: ProxiedRequest): ProxiedResponse | undefined
  /** Changes an answer. `ask` asks the service itself. */
  onResponse?(
    response: ProxiedResponse,
    request: ProxiedRequest,
    ask: (request: ProxiedRequest) => Promise<ProxiedResponse>,
  ): void | Promise<void>
}

/** A service that does what another does, but for an alteration. */
export async function startAltered(
  upstream: string,
  { onRequest: changeRequest, onResponse: changeResponse }: Alteration,
) {
  const ask = async ({ method, path, headers }: ProxiedRequest, body: string | undefined): Promise<ProxiedResponse> => {
    const response = await fetch(upstream + path, { method, headers, body: body ?? null })
    const said = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json')
    return { status: response.status, headers: kept(response.headers), json: isJson && said ? JSON.parse(said) : said }
  }

  async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const raw = (await text(incoming)) || undefined
    const json = raw === undefined ? undefined : parsed(raw)
    const before = JSON.stringify(json)
    const request: ProxiedRequest = {
      method: incoming.method ?? '',
      path: incoming.url ?? '',
      headers: wanted(incoming.headers),
      json,
    }
    if (request.path === '/api/sync/events') return stream(request, outgoing)
    const bodyOf = ({ json }: ProxiedRequest) => (JSON.stringify(json) === before ? raw : JSON.stringify(json))
    const response = changeRequest?.(request) ?? (await ask(request, bodyOf(request)))
    await changeResponse?.(response, request, (other) => ask(other, bodyOf(other)))
    send(response, incoming, outgoing)
  }

  async function stream({ headers }: ProxiedRequest, outgoing: ServerResponse): Promise<void> {
    const ends = new AbortController()
    outgoing.once('close', () => ends.abort())
    const response = await fetch(`${upstream}/api/sync/events`, { headers, signal: ends.signal })
    outgoing.writeHead(response.status, kept(response.headers))
    if (response.body)
      Readable.fromWeb(response.body)
        .on('error', () => outgoing.destroy())
        .pipe(outgoing)
  }

  /** The end of the last answer on each connection: pipelined requests are passed on one after another. */
  const ends = new WeakMap<Socket, Promise<void>>()
  const server = createServer((incoming, outgoing) => {
    const before = ends.get(incoming.socket) ?? Promise.resolve()
    // Bodies that are not JSON are passed on.
    const end = before.then(() => answer(incoming, outgoing)).catch(() => void outgoing.destroy())
    ends.set(incoming.socket, end)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections()
      return new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

function parsed(raw: string): Json {
  try {
    return JSON.parse(raw)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function send({ status, headers, json }: ProxiedResponse, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const body = typeof json === 'string' ? json : JSON.stringify(json)
  if (status === 204 || status === 304) outgoing.writeHead(status, headers).end()
  else if (incoming.headers['accept-encoding'] === 'gzip') {
    outgoing.writeHead(status, { ...headers, 'content-encoding': 'gzip' }).end(gzipSync(body))
  } else outgoing.writeHead(status, headers).end(body)
}

const ofTheConnection = ['host', 'connection', 'content-length', 'transfer-encoding', 'keep-alive', 'accept-encoding']

function wanted(headers: IncomingMessage['headers']): Record<string, string> {
  const all = Object.entries(headers).filter(([name]) => !ofTheConnection.includes(name))
  return Object.fromEntries(all.map(([name, value]) => [name, String(value)]))
}

function kept(headers: Headers): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => ![...ofTheConnection, 'content-encoding'].includes(name)))
}
