import { type ClientRequest, type RequestOptions, request as requestByHttp } from 'node:http'
import { request as requestByHttps } from 'node:https'
import { isAllowedUrl, isPrivateHost, publicLookup } from './addresses.ts'

export interface Post {
  url: string
  headers: Record<string, string>
  body: string
  /** Hosts that may have any address, and be reached by `http:`. */
  privateHosts: readonly string[]
  /** Of the whole attempt, the look-up of the name included. */
  timeLimitMs: number
  signal: AbortSignal
}

/**
 * Posts JSON to a receiver. Returns the HTTP status, or `timeout` or `unreachable`; `undefined` if `signal` ended it.
 * It follows no redirect and reads nothing of the response but its head. An address that may not be called is
 * `unreachable` as one that does not exist, so that nobody learns the names of the operator's network.
 */
export async function post({
  url,
  headers,
  body,
  privateHosts,
  timeLimitMs,
  signal,
}: Post): Promise<string | undefined> {
  // The operator may have changed the hosts since the webhook was created.
  if (!isAllowedUrl(url, privateHosts)) return 'unreachable'
  const to = new URL(url)
  const timedOut = AbortSignal.timeout(timeLimitMs)
  const options: RequestOptions = {
    method: 'POST',
    agent: false,
    headers: { ...headers, 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) },
    signal: AbortSignal.any([timedOut, signal]),
    ...(!isPrivateHost(to, privateHosts) && { lookup: publicLookup() }),
  }
  try {
    const request = to.protocol === 'https:' ? requestByHttps(to, options) : requestByHttp(to, options)
    return String(await statusOf(request, body))
  } catch {
    if (signal.aborted) return undefined
    if (timedOut.aborted) return 'timeout'
    return 'unreachable'
  }
}

function statusOf(request: ClientRequest, body: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    // An error that comes after the status no longer matters.
    request.on('error', reject)
    // Without an error, if the receiver wants to switch protocols.
    request.on('close', () => reject(new Error('the connection was closed without a response')))
    request.on('response', (response) => {
      response.destroy()
      resolve(response.statusCode)
    })
    request.end(body)
  })
}
