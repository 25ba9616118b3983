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
