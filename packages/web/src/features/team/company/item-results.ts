import type { ItemResult } from '@saldo/core'
import { WordedError } from '../../../ui/feedback/failure.ts'

/** Throws why the service rejected the first item that it did, in the app's words, for forms that send one. */
export function refuseRejected(results: readonly ItemResult[]): void {
  const rejected = results.find(({ outcome }) => outcome === 'rejected')
  if (!rejected) return
  throw new WordedError(refusalKey(rejected), rejected.detail ?? '')
}

/** Returns the key of the text that says why an item was rejected. */
export function refusalKey({ refusal = 'invalid' }: ItemResult): string {
  return `team.refusal.${refusal}`
}
