import { RejectedError } from '@saldo/client'
import { type ItemResult, problemOf } from '@saldo/core'

/** Throws what the service says of the first item that it rejected, for forms that send one. */
export function refuseRejected(results: readonly ItemResult[]): void {
  const rejected = results.find(({ outcome }) => outcome === 'rejected')
  if (!rejected) return
  throw new RejectedError({ ...problemOf('invalid_request', rejected.detail ?? ''), type: 'about:blank' })
}
