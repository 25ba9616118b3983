import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Prepares a server for its end. What is returned takes no more connections, lets running requests end for at most
 * `limitMs`, and ends every connection with the answer that it carries.
 */
export function drainable(server: Server): (limitMs: number) => Promise<void> {
  /** Of each connection, the answer that is the last to be asked for, while it runs. A set of answers would keep those that are over. */
  const running = new Map<Socket, ServerResponse | undefined>()
  let isSweepDue = false
  /** Ends connections that carry no answer any more; once for many answers that end together, since it looks at all. */
  const closeIdle = () => {
    if (isSweepDue) return
    isSweepDue = true
    setImmediate(() => {
      isSweepDue = false
      server.closeIdleConnections()
    })
  }
  server.on('connection', (socket) => socket.once('close', () => running.delete(socket)))
  server.prependListener('request', ({ socket }, response: ServerResponse) => {
    response.shouldKeepAlive &&= server.listening
    running.set(socket, response)
    response.once('close', () => {
      if (running.get(socket) === response) running.set(socket, undefined)
      // One whose head had left before the end began.
      if (!server.listening) closeIdle()
    })
  })
  return (limitMs) =>
    new Promise((resolve) => {
      const impatience = setTimeout(() => server.closeAllConnections(), limitMs)
      server.close(() => {
        clearTimeout(impatience)
        resolve()
      })
      for (const response of running.values()) if (response) response.shouldKeepAlive = false
    })
}
