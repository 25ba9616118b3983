import type { ProblemCode } from '@saldo/core'

/**
 * Why the last exchange did not work. Besides what the service can answer: nothing of the service's was heard, it cannot be followed
 * however often all is fetched anew, or this device failed. `detail` is for whoever looks into it.
 */
export interface SyncError {
  code: ProblemCode | 'unreachable' | 'unfollowable' | 'defect'
  detail?: string
}
