import { ProblemError } from './problem.ts'

/**
 * Proof that a request that a browser may have sent with its cookies comes from our own pages. Browsers tell where a
 * request comes from in headers that no page can forge: `Sec-Fetch-Site`, and `Origin` on everything but plain reads.
 */
export function requireSameOrigin(headers: Headers): void {
  const site = headers.get('sec-fetch-site')
  const origin = headers.get('origin')
  const isOurs =
    site === null ? origin !== null && URL.parse(origin)?.host === headers.get('host') : site === 'same-origin'
  if (!isOurs) {
    throw new ProblemError('forbidden', 'A request with a session cookie must prove by its Origin that it is ours.')
  }
}
