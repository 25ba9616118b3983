import {
  InvalidRecordError,
  NotSignedInError,
  OfflineError,
  OtherUserError,
  RejectedError,
  StoreError,
  UnsentChangesError,
} from '@saldo/client'
import type { ProblemCode } from '@saldo/core'
import { AuthenticatorError } from './authenticator-error.ts'
import { isMissingPart } from './missing-part.ts'
import { problemKey } from './problem-key.ts'

/** The reason of a failure: the key of its text and the detail in it. */
export interface Failure {
  key: string
  detail: string
}

/** Keys of texts by problem that replace the app's general ones in a view. */
export type OwnWords = Partial<Record<ProblemCode, string>>

/** Returns the app's text for an error of the service, if it has one. Defects show their own message. */
export function failureOf(error: unknown, own: OwnWords = {}): Failure {
  const detail = error instanceof Error ? error.message : String(error)
  if (error instanceof OfflineError || error instanceof RejectedError) {
    const { problem } = error
    if (!problem) return { key: 'ui.failure.offline', detail }
    return { key: own[problem.code] ?? problemKey(problem) ?? 'ui.failure.rejected', detail: problem.detail }
  }
  if (error instanceof AuthenticatorError) return { key: error.key, detail }
  if (error instanceof NotSignedInError) return { key: own.invalid_credentials ?? 'ui.failure.notSignedIn', detail }
  if (error instanceof OtherUserError) return { key: 'ui.failure.otherUser', detail }
  if (error instanceof UnsentChangesError) return { key: 'ui.failure.unsent', detail }
  if (error instanceof InvalidRecordError) return { key: 'ui.failure.invalid', detail }
  if (error instanceof StoreError) return { key: `ui.failure.store.${error.code}`, detail }
  if (isMissingPart(error)) return { key: 'ui.failure.part', detail }
  return { key: 'ui.failure.other', detail }
}
