import type { Problem } from '@saldo/core'
import { RejectedError } from '../engine/errors.ts'
import type { Reply, Request, Transport } from '../host/transport.ts'

type Answered = Extract<Reply, { outcome: 'ok' }>

/** The operation needs the service, which cannot be reached or cannot do it now. */
export class OfflineError extends Error {
  /** The reason that the service gave, if it was reached. */
  readonly problem: Problem | undefined

  constructor(problem?: Problem) {
    super('The service cannot be reached.')
    this.name = 'OfflineError'
    this.problem = problem
  }
}

/** The session has ended, or the credentials are wrong. */
export class NotSignedInError extends Error {
  constructor() {
    super('Sign in first.')
    this.name = 'NotSignedInError'
  }
}

/** Requests what is never queued. Resolves to the body. Throws `OfflineError`, `NotSignedInError`, `RejectedError`. */
export async function request<T = void>(
  transport: Transport,
  method: Request['method'],
  path: string,
  body?: object,
): Promise<T> {
  return (await requestReply(transport, { method, path, body })).body as T
}

/** Does the same with headers, and resolves to the whole reply. */
export async function requestReply(transport: Transport, request: Request): Promise<Answered> {
  const reply = await transport(request)
  switch (reply.outcome) {
    case 'ok':
      return reply
    case 'rejected':
      throw new RejectedError(reply.problem)
    case 'unauthenticated':
      throw new NotSignedInError()
    case 'retryable':
      throw new OfflineError(reply.problem)
  }
}
