import {
  createServer,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http'
import { type AddressInfo, isIPv6, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { problemOf } from '@saldo/core'
import { OpenError } from '../store/sql.ts'
import { standardHeaders } from './send.ts'

/** A request must arrive completely within a minute, its headers within 20 seconds. */
const REQUEST_TIMEOUT_MS = 60_000
const HEADERS_TIMEOUT_MS = 20_000
/** Longer than proxies keep an unused connection (nginx: 60 s), so that no request meets a connection being closed. */
const KEEP_ALIVE_TIMEOUT_MS = 75_000
/** Longer than `REQUEST_TIMEOUT_MS`, whose end is answered with a 408. */
const IDLE_TIMEOUT_MS = 120_000

/** The HTTP server of the app. It answers unreadable requests with a problem document too, and it can be drained. */
export class AppServer {
  readonly http: Server
  /** The newest response of each open connection. */
  readonly #responses = new Map<Duplex, ServerResponse>()

  constructor(app: RequestListener, options: ServerOptions = {}) {
    this.http = createServer(
      {
        requestTimeout: REQUEST_TIMEOUT_MS,
        headersTimeout: HEADERS_TIMEOUT_MS,
        keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
        requireHostHeader: false,
        ...options,
      },
      app,
    )
    this.http.setTimeout(IDLE_TIMEOUT_MS)
    this.http.on('connection', (socket) => socket.once('close', () => this.#responses.delete(socket)))
    this.http.prependListener('request', ({ socket }, response) => this.#watch(socket, response))
    // Node answers an unknown `Expect` header with an empty 417.
    this.http.on('checkExpectation', (request, response) => this.http.emit('request', request, response))
    this.http.on('clientError', (error, socket) => this.#refuse(error, socket))
  }

  /** Stops accepting connections, waits at most `limitMs` for running requests, and closes every connection. */
  drain(limitMs: number): Promise<void> {
    return new Promise((resolve) => {
      const limit = setTimeout(() => this.http.closeAllConnections(), limitMs)
      this.http.close(() => {
        clearTimeout(limit)
        resolve()
      })
      for (const response of this.#responses.values()) response.shouldKeepAlive = false
    })
  }

  #watch(socket: Socket, response: ServerResponse): void {
    response.shouldKeepAlive &&= this.http.listening
    this.#responses.set(socket, response)
    response.once('close', () => {
      // Its headers may have been sent before draining began, so that the client keeps the connection open.
      if (!this.http.listening && this.#responses.get(socket) === response) socket.destroySoon()
    })
  }

  #refuse(error: NodeJS.ErrnoException, socket: Duplex): void {
    const response = this.#responses.get(socket)
    if (!socket.writable) socket.destroy()
    // The malformed bytes follow a complete request (pipelining). Finish that response, then close.
    else if (response?.req.complete && !response.writableFinished) response.shouldKeepAlive = false
    else if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') {
      // A silent client may never close its side.
      socket.end(headOf(408, 0), () => socket.destroy())
    } else {
      const problem = problemOf('invalid_request', 'The request is not valid HTTP, or its headers are too large.')
      const body = JSON.stringify(problem)
      socket.end(headOf(problem.status, Buffer.byteLength(body)) + body)
    }
  }
}

function headOf(status: number, contentLength: number): string {
  const headers = {
    ...standardHeaders,
    'content-type': 'application/problem+json',
    'content-length': contentLength,
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n`
}

/**
 * Listens on an address. Returns the URL that reaches it from this computer. Throws `OpenError` if the address cannot
 * be used.
 */
export async function listen(server: Server, host: string, port: number): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const isTaken = error.code === 'EADDRINUSE'
      reject(new OpenError(isTaken ? `port ${port} is in use` : `cannot listen on ${host}:${port}: ${error.message}`))
    })
    server.listen(port, host, resolve)
  })
  const isAny = ['127.0.0.1', '0.0.0.0', '::'].includes(host)
  const name = isAny ? 'localhost' : isIPv6(host) ? `[${host}]` : host
  return `http://${name}:${(server.address() as AddressInfo).port}`
}
