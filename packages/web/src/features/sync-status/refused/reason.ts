import type { InputError, Problem, ProblemCode, WritableKind } from '@saldo/core'

/** What the service can answer to a change that it will not take, however often it is sent. */
export const refusalCodes = [
  'invalid_request',
  'forbidden',
  'not_found',
  'method_not_allowed',
  'conflict',
  'precondition_failed',
  'payload_too_large',
  'unsupported_media_type',
  'invalid_record',
  'internal',
] as const satisfies readonly ProblemCode[]

/** The key of why a change was refused; `undefined` where only the service's own words say it. */
export function reasonKey({ type, code }: Pick<Problem, 'type' | 'code'>): string | undefined {
  // What was no problem of the service's, the client calls `internal` for want of a better name.
  const isOfService = type !== 'about:blank'
  const known = isOfService && refusalCodes.find((each) => each === code)
  return known ? `sync.refused.reason.${known}` : undefined
}

/** The key of what is wrong with a field, where the app does not check it before; `undefined` as above. */
export function faultKey(kind: WritableKind, { pointer }: InputError): string | undefined {
  // In a push, what is pointed into is the change.
  const isDelta = pointer === '/delta_ms' || pointer === '/record/delta_ms'
  return kind === 'balance_adjustments' && isDelta ? 'sync.refused.beyondBalance' : undefined
}
