import { hash } from 'node:crypto'
import { askedText, contentOf, type RequestContent, type RequestEntry } from '@saldo/core'

/** Returns the digest of what a request asks, which a decision names (D26.4): SHA-256 in hexadecimal digits. */
export function requestDigest(request: RequestEntry): string {
  return hash('sha256', askedText(contentOf(request) as RequestContent), 'hex')
}
