import { OfflineError, RejectedError } from '@saldo/client'

function asksForCode(error: unknown): boolean {
  return error instanceof RejectedError && error.problem.code === 'second_factor_required'
}

/** True if a code is needed after an error of signing in: once asked for, also while the service cannot be reached. */
export function needsCodeAfter(error: unknown, isCodeNeeded: boolean): boolean {
  return asksForCode(error) || (isCodeNeeded && error instanceof OfflineError)
}

/** True if an error of signing in is a failure: the first request for a code is the next step, a later one is not. */
export function isSignInFailure(error: unknown, isCodeNeeded: boolean): boolean {
  return isCodeNeeded || !asksForCode(error)
}

/** The reasons for which the service sends a browser back from a provider without a session (D20). */
const reasons = [
  'cancelled',
  'deactivated',
  'domain',
  'expired',
  'failed',
  'not_set_up',
  'other_user',
  'taken',
  'unverified',
] as const

export type SignInFailure = (typeof reasons)[number]

/** Returns the reason in the address, `#sign-in-failed=<reason>`, if there is one. */
export function signInFailureIn(hash: string): SignInFailure | undefined {
  const found = new URLSearchParams(hash.slice(1)).get('sign-in-failed')
  return reasons.find((reason) => reason === found)
}
