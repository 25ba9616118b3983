import { InvalidRecordError, NotSignedInError, OfflineError, RefusedError, StoreError } from '@saldo/client'

/** Why something did not work, as a key of a string and what belongs into it. */
export interface Failure {
  key: string
  detail: string
}

/** Defects are told by their message: there is nothing better to say. */
export function failureOf(error: unknown): Failure {
  const detail = error instanceof Error ? error.message : String(error)
  if (error instanceof OfflineError) return { key: 'ui.failure.offline', detail }
  if (error instanceof NotSignedInError) return { key: 'ui.failure.notSignedIn', detail }
  if (error instanceof RefusedError) return { key: 'ui.failure.refused', detail: error.problem.detail }
  if (error instanceof InvalidRecordError) return { key: 'ui.failure.invalid', detail }
  if (error instanceof StoreError) return { key: `ui.failure.store.${error.trouble}`, detail }
  return { key: 'ui.failure.other', detail }
}
