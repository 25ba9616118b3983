import {
  createServer,
  IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http'
import { type AddressInfo, isIPv6, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { type Problem, problemOf } from '@saldo/core'
import { OpenError } from '../errors.ts'
import { standardHeaders } from './send.ts'

/** A request must arrive completely within a minute, its headers within 20 seconds. */
const REQUEST_TIMEOUT_MS = 60_000
const HEADERS_TIMEOUT_MS = 20_000
/** Longer than proxies keep an unused connection (nginx: 60 s), so that no request meets a connection being closed. */
const KEEP_ALIVE_TIMEOUT_MS = 75_000
/** Longer than `REQUEST_TIMEOUT_MS`, whose end is answered with a 408. */
const IDLE_TIMEOUT_MS = 120_000
/**
 * A body may come in this many pieces, and one more for each 64 bytes. Node keeps each piece in some 430 bytes of its
 * own until it is read: of pieces of a byte, a limit of bytes alone would miss nearly all of the memory.
 */
const MAX_PIECES = 1_000
const BYTES_OF_PIECE = 64
/** This many pipelined requests of a connection may wait; a further one closes it. */
const MAX_WAITING_REQUESTS = 8

interface Connection {
  /** The newest response. */
  newest: ServerResponse
  /** The requests behind the one that is being handled. */
  waiting: (() => void)[]
}

/**
 * The HTTP server of the app. It handles the requests of a connection one after another, each once the client has taken
 * the response before it, so that responses that nobody reads do not pile up. It answers unreadable requests with a
 * problem document too, and it can be drained.
 */
export class AppServer {
  readonly http: Server
  readonly #app: RequestListener
  readonly #connections = new Map<Duplex, Connection>()

  constructor(app: RequestListener, options: ServerOptions = {}) {
    this.#app = app
    this.http = createServer({
      IncomingMessage: requestRefusedInPieces((socket) => this.#refuse(new TooManyPiecesError(), socket)),
      requestTimeout: REQUEST_TIMEOUT_MS,
      headersTimeout: HEADERS_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
      // Node answers a request without one with an empty 400.
      requireHostHeader: false,
      ...options,
    })
    this.http.setTimeout(IDLE_TIMEOUT_MS)
    this.http.on('connection', (socket) => socket.once('close', () => this.#connections.delete(socket)))
    this.http.on('request', (request, response) => this.#accept(request, response))
    // Node asks for every body at once; the app asks for those that it takes.
    this.http.on('checkContinue', (request, response) => this.http.emit('request', request, response))
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
      for (const { newest } of this.#connections.values()) newest.shouldKeepAlive = false
    })
  }

  #accept(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request
    // The parser goes on with the bytes that it already has.
    if (socket.destroyed) return
    response.shouldKeepAlive &&= this.http.listening
    const handle = () => {
      response.once('close', () => this.#continue(socket, response))
      this.#app(request, response)
    }
    const connection = this.#connections.get(socket)
    if (connection && !connection.newest.closed) {
      connection.newest = response
      connection.waiting.push(handle)
      if (connection.waiting.length > MAX_WAITING_REQUESTS) socket.destroy()
    } else {
      this.#connections.set(socket, { newest: response, waiting: [] })
      handle()
    }
  }

  /** Handles the next request of a connection, or closes it while the server drains. */
  #continue(socket: Socket, response: ServerResponse): void {
    if (socket.destroyed) return
    const connection = this.#connections.get(socket)
    // Its headers may have been sent before draining began, so that the client keeps the connection open.
    if (!this.http.listening && connection?.newest === response) socket.destroySoon()
    connection?.waiting.shift()?.()
  }

  #refuse(error: NodeJS.ErrnoException, socket: Duplex): void {
    const response = this.#connections.get(socket)?.newest
    if (!socket.writable) socket.destroy()
    // The malformed bytes follow a complete request (pipelining). Finish that response, then close.
    else if (response?.req.complete && !response.writableFinished) response.shouldKeepAlive = false
    else if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') {
      // A silent client may never close its side.
      socket.end(headOf(408, 0), () => socket.destroy())
    } else {
      const problem = problemOfRefusal(error)
      const body = JSON.stringify(problem)
      socket.end(headOf(problem.status, Buffer.byteLength(body)) + body)
    }
  }
}

class TooManyPiecesError extends Error {}

/** Returns a class of requests that calls `refuse` once a body comes in too many pieces, and keeps none of it then. */
function requestRefusedInPieces(refuse: (socket: Socket) => void): typeof IncomingMessage {
  return class extends IncomingMessage {
    #pieces = 0
    #bytes = 0
    #isRefused = false

    override push(piece: Buffer | null): boolean {
      if (this.#isRefused) return false
      this.#pieces += 1
      this.#bytes += piece?.length ?? 0
      this.#isRefused = this.#pieces > MAX_PIECES + this.#bytes / BYTES_OF_PIECE
      if (!this.#isRefused) return super.push(piece)
      refuse(this.socket)
      return false
    }
  }
}

function problemOfRefusal(error: NodeJS.ErrnoException): Problem {
  if (error instanceof TooManyPiecesError) {
    return problemOf('invalid_request', 'The body comes in too many pieces: send more bytes in each.')
  }
  return error.code === 'HPE_HEADER_OVERFLOW'
    ? { ...problemOf('payload_too_large', 'Address and headers may have at most 16 KiB.'), status: 431 }
    : problemOf('invalid_request', 'The request is not valid HTTP.')
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
 * Listens on an address. Returns the URL that reaches it from this computer. Throws `OpenError` if that fails;
 * `setting` names the setting of the port.
 */
export async function listen(server: Server, host: string, port: number, setting = 'SALDO_PORT'): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const isTaken = error.code === 'EADDRINUSE'
      const reason = isTaken
        ? `port ${port} is in use: set ${setting} to another one`
        : `cannot listen on ${host}:${port}: ${error.message}`
      reject(new OpenError(reason))
    })
    server.listen(port, host, resolve)
  })
  return urlAt(host, (server.address() as AddressInfo).port)
}

/** Returns the URL that reaches a server from its own computer. */
export function urlAt(host: string, port: number): string {
  const isAny = ['127.0.0.1', '0.0.0.0', '::'].includes(host)
  const name = isAny ? 'localhost' : isIPv6(host) ? `[${host}]` : host
  return `http://${name}:${port}`
}
