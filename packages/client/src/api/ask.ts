import type { Problem } from '@saldo/core'
import { RefusedError } from '../engine/mutations.ts'
import type { Reply, Request, Transport } from '../host/transport.ts'

/** An answer that the service gave. */
type Answered = Extract<Reply, { outcome: 'answered' }>

/** The service alone can do this, and it cannot be reached. */
export class OfflineError extends Error {
  /** What it said, where it was reached and cannot do this now. */
  readonly problem: Problem | undefined

  constructor(problem?: Problem) {
    super('The service cannot be reached.')
    this.name = 'OfflineError'
    this.problem = problem
  }
}

/** The service does not know who asks, or not by what they sign in with. */
export class NotSignedInError extends Error {
  constructor() {
    super('Sign in first.')
    this.name = 'NotSignedInError'
  }
}

/**
 * Asks for what only the service can do: it is never queued. Throws `OfflineError`, `NotSignedInError`, `RefusedError`.
 */
export async function ask<T = void>(
  transport: Transport,
  method: Request['method'],
  path: string,
  body?: object,
): Promise<T> {
  return (await askWhole(transport, { method, path, body })).body as T
}

/** The same, with the headers that came, and with those of the request. */
export async function askWhole(transport: Transport, request: Request): Promise<Answered> {
  const reply = await transport(request)
  switch (reply.outcome) {
    case 'answered':
      return reply
    case 'refused':
      throw new RefusedError(reply.problem)
    case 'unauthenticated':
      throw new NotSignedInError()
    case 'unreachable':
      throw new OfflineError(reply.problem)
  }
}
