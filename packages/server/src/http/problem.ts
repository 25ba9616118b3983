import { type InputError, type ProblemCode, problemOf, problems } from '@saldo/core'
import { APIError } from 'better-auth/api'
import { UnavailableError } from '../store/sql.ts'
import { UnknownUserError } from '../store/store.ts'
import type { Answer } from './route.ts'

/** Ends a request with a problem document (D1). */
export class ProblemError extends Error {
  readonly code: ProblemCode
  readonly errors: InputError[] | undefined
  readonly headers: Record<string, string>

  constructor(
    code: ProblemCode,
    detail: string,
    { errors, headers = {} }: { errors?: InputError[]; headers?: Record<string, string> } = {},
  ) {
    super(detail)
    this.name = 'ProblemError'
    this.code = code
    this.errors = errors
    this.headers = headers
  }
}

/** How soon to try again, in seconds. */
const RETRY_AFTER = { storage_full: '60', unavailable: '5' }

/** The problem that an error means to the client; `undefined` for a defect of ours. */
export function problemFor(error: unknown): ProblemError | undefined {
  if (error instanceof ProblemError) return error
  if (error instanceof UnavailableError) {
    const detail =
      error.reason === 'storage_full'
        ? 'The service has no space left; nothing was stored. Your data is safe; try again later.'
        : 'The service cannot reach its database now. Try again in a moment.'
    return new ProblemError(error.reason, detail, { headers: { 'retry-after': RETRY_AFTER[error.reason] } })
  }
  if (error instanceof UnknownUserError) return new ProblemError('unauthenticated', 'This account no longer exists.')
  if (error instanceof APIError) return problemFor(error.cause)
  return undefined
}

export function problemAnswer({ code, message, errors, headers }: ProblemError): Answer {
  return {
    status: problems[code].status,
    body: JSON.stringify(problemOf(code, message, errors)),
    headers: { ...headers, 'content-type': 'application/problem+json' },
  }
}
