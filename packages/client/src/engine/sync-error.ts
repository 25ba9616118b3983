import type { ProblemCode } from '@saldo/core'

/**
 * The reason why the last sync failed: the problem that the service answered; `unreachable` if it did not answer;
 * `coldStartsFailed` if repeated cold starts failed; `defect` if this device failed. `detail` is for diagnosis.
 */
export interface SyncError {
  code: ProblemCode | 'unreachable' | 'coldStartsFailed' | 'defect'
  detail?: string
}
