import { PROTOCOL_VERSION } from '@saldo/core'

/** What every answer carries. Pages that need more override the policy. */
export const standardHeaders = {
  'saldo-protocol': String(PROTOCOL_VERSION),
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}
