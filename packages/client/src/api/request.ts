import type { Problem } from '@saldo/core'
import { RejectedError } from '../engine/errors.ts'
import type { ExchangeFailure } from '../host/exchange-failure.ts'
import type { ServiceRequest, ServiceResponse, Transport } from '../host/transport.ts'

type Answered = Extract<ServiceResponse, { outcome: 'ok' }>

/** The operation needs the service, which cannot be reached or cannot do it now. */
export class OfflineError extends Error {
  /** The reason that the service gave, if it was reached. */
  readonly problem: Problem | undefined

  constructor(problem?: Problem, failure?: ExchangeFailure) {
    super(problem?.detail ?? failure?.detail ?? 'The service cannot be reached.', { cause: failure?.cause })
    this.name = 'OfflineError'
    this.problem = problem
  }
}

/**
 * No service that this program can talk to answers at the address: the address is wrong, a captive portal answers, or
 * the program is too old. `message` says which. A retry may work, so a device keeps its changes and tries again.
 */
export class WrongServiceError extends OfflineError {
  readonly code: Exclude<ExchangeFailure['code'], 'unreachable'>

  constructor(failure: ExchangeFailure & { code: WrongServiceError['code'] }) {
    super(undefined, failure)
    this.name = 'WrongServiceError'
    this.code = failure.code
  }
}

/** The session has ended, the token is not valid or has expired, or the credentials are wrong. */
export class NotSignedInError extends Error {
  constructor(problem?: Problem) {
    super(problem?.detail ?? 'Sign in first.')
    this.name = 'NotSignedInError'
  }
}

/** Requests what is never queued. Resolves to the body. Throws `OfflineError`, `NotSignedInError`, `RejectedError`. */
export async function request<T = void>(
  transport: Transport,
  method: ServiceRequest['method'],
  path: string,
  body?: object,
): Promise<T> {
  return (await requestResponse(transport, { method, path, body })).body as T
}

/** Does the same with headers, and resolves to the whole response. */
export async function requestResponse(transport: Transport, request: ServiceRequest): Promise<Answered> {
  const response = await transport(request)
  switch (response.outcome) {
    case 'ok':
      return response
    case 'rejected':
      throw new RejectedError(response.problem)
    case 'unauthenticated':
      throw new NotSignedInError(response.problem)
    case 'retryable':
      throw offlineErrorOf(response)
  }
}

/** Returns the error of a request that got no answer of a service, or one that says to try again. */
export function offlineErrorOf({ problem, failure }: Extract<ServiceResponse, { outcome: 'retryable' }>): OfflineError {
  if (problem || !failure || failure.code === 'unreachable') return new OfflineError(problem, failure)
  return new WrongServiceError({ ...failure, code: failure.code })
}
