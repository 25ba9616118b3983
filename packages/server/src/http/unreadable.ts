import { type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { problemOf } from '@saldo/core'
import { standardHeaders } from './standard-headers.ts'

/**
 * Lets a server answer, like any other problem (D1), what cannot be read as a request: no HTTP, endless headers, a client
 * that went silent.
 */
export function refuseUnreadable(server: Server): void {
  const answers = new WeakMap<Duplex, ServerResponse>()
  server.prependListener('request', (request, response: ServerResponse) => answers.set(request.socket, response))
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    const answer = answers.get(socket)
    if (!socket.writable) socket.destroy()
    // What cannot be read stands behind a whole request, whose answer is still to come: that is the last one then.
    else if (answer?.req.complete && !answer.writableFinished) answer.shouldKeepAlive = false
    else refuse(error, socket)
  })
}

function refuse(error: NodeJS.ErrnoException, socket: Duplex): void {
  const problem = problemOf('invalid_request', 'The request cannot be read.')
  const body = Buffer.from(JSON.stringify(problem))
  // A request that did not come whole may come again; one that makes no sense need not.
  const timedOut = error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
  const status = timedOut ? 408 : problem.status
  socket.write(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      ...Object.entries(standardHeaders).map(([name, value]) => `${name}: ${value}`),
      'Content-Type: application/problem+json',
      `Content-Length: ${timedOut ? 0 : body.byteLength}`,
      'Connection: close',
      '',
      '',
    ].join('\r\n'),
  )
  // A silent client may never close its side. Of others something may still be on its way, before which they must read.
  if (timedOut) socket.end(() => socket.destroy())
  else socket.end(body)
}
