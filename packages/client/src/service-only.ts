import { RefusedError } from './device.ts'
import type { Request, Transport } from './transport.ts'

/** The service alone can do this, and it cannot be reached. */
export class OfflineError extends Error {
  constructor() {
    super('The service cannot be reached.')
    this.name = 'OfflineError'
  }
}

/** The service does not know who asks, or not with this address and password. */
export class NotSignedInError extends Error {
  constructor() {
    super('Sign in, with the right address and password.')
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
  const reply = await transport({ method, path, body })
  switch (reply.outcome) {
    case 'answered':
      return reply.body as T
    case 'refused':
      throw new RefusedError(reply.problem)
    case 'unauthenticated':
      throw new NotSignedInError()
    case 'unreachable':
      throw new OfflineError()
  }
}
