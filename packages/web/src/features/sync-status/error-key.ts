import type { Status, SyncError } from '@saldo/client'
import { problemKey } from '../../ui/feedback/problem-key.ts'

/** Returns the key of the message for the last error of sync. */
export function errorKey({ code }: SyncError, { state, storeError }: Pick<Status, 'state' | 'storeError'>): string {
  switch (code) {
    case 'unreachable':
      return state === 'offline' ? 'sync.noNetwork' : 'sync.error.unreachable'
    case 'wrongService':
    case 'unknownProtocol':
      return `ui.failure.${code}`
    case 'coldStartsFailed':
      return 'sync.error.coldStartsFailed'
    case 'defect':
      return storeError ? `ui.failure.store.${storeError}` : 'sync.error.defect'
    default:
      return problemKey({ code }) ?? 'sync.error.other'
  }
}
