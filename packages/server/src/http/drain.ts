import type { Server, ServerResponse } from 'node:http'

/**
 * Prepares a server for its end. What is returned takes no more connections, lets running requests end for at most
 * `limitMs`, and ends every connection with the answer that it carries.
 */
export function drainable(server: Server): (limitMs: number) => Promise<void> {
  const running = new Set<ServerResponse>()
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
  server.prependListener('request', (_request, response: ServerResponse) => {
    response.shouldKeepAlive &&= server.listening
    running.add(response)
    response.once('close', () => {
      running.delete(response)
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
      for (const response of running) response.shouldKeepAlive = false
    })
}
