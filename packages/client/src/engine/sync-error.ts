import type { ProblemCode } from '@saldo/core'

/**
 * Why the last sync failed: the problem that the service answered; `unreachable` if it did not answer; `unfollowable`
 * if repeated cold starts failed; `defect` if this device failed. `detail` is for diagnosis.
 */
export interface SyncError {
  code: ProblemCode | 'unreachable' | 'unfollowable' | 'defect'
  detail?: string
}
