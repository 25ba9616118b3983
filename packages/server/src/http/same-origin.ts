import { ProblemError } from './problem.ts'
import type { RequestHeaders } from './request-headers.ts'

/**
 * Proof that a request that a browser may have sent with its cookies comes from our own pages. Browsers tell where a
 * request comes from in headers that no page can forge: `Sec-Fetch-Site`, and `Origin` on everything but plain reads.
 */
export function requireSameOrigin(headers: RequestHeaders): void {
  const site = headers['sec-fetch-site']
  const { origin, host } = headers
  const isOwnHost = origin !== undefined && host !== undefined && URL.parse(origin)?.host === host
  const isOurs = site === undefined ? isOwnHost : site === 'same-origin'
  if (!isOurs) {
    throw new ProblemError('forbidden', 'A request with a session cookie must prove by its Origin that it is ours.')
  }
}
