import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { PROTOCOL_VERSION, problemOf } from '@saldo/core'

/** Answers, like any other problem (D1), what could not be read as a request: no HTTP, endless headers, a client that went silent. */
export function refuseUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const problem = problemOf('invalid_request', 'The request cannot be read.')
  const body = Buffer.from(JSON.stringify(problem))
  // A request that did not come whole may come again; one that makes no sense need not.
  const timedOut = error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
  const status = timedOut ? 408 : problem.status
  socket.write(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      `Saldo-Protocol: ${PROTOCOL_VERSION}`,
      'Content-Type: application/problem+json',
      `Content-Length: ${timedOut ? 0 : body.byteLength}`,
      'Connection: close',
      '',
      '',
    ].join('\r\n'),
  )
  socket.end(timedOut ? undefined : body)
}
