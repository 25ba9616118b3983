import { type InputError, type ProblemCode, problemOf, problems } from '@saldo/core'
import { UnavailableError } from '../errors.ts'
import { UnknownUserError } from '../store/store.ts'
import { AccessEndedError } from '../store/users/acting.ts'
import { TeamAccessError } from '../team/access.ts'
import type { RouteResponse } from './route.ts'

/** Ends a request with a problem document. */
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

const unavailability = {
  storage_full: {
    detail: 'The service has no storage space left and stored nothing. Try again later.',
    retryAfterSeconds: 60,
  },
  unavailable: { detail: 'The service cannot reach its database. Try again in a moment.', retryAfterSeconds: 5 },
}

const teamProblems = {
  no_company: () => new ProblemError('not_found', 'You belong to no company.'),
  no_role: () => new ProblemError('forbidden', 'Your role in the company does not include this.'),
}

/** Returns the problem that an error means to the client; `undefined` for a defect. */
export function problemFor(error: unknown): ProblemError | undefined {
  if (error instanceof ProblemError) return error
  if (error instanceof UnavailableError) {
    const { detail, retryAfterSeconds } = unavailability[error.reason]
    return new ProblemError(error.reason, detail, { headers: { 'retry-after': String(retryAfterSeconds) } })
  }
  if (error instanceof UnknownUserError) return new ProblemError('unauthenticated', 'This account no longer exists.')
  if (error instanceof TeamAccessError) return teamProblems[error.reason]()
  if (error instanceof AccessEndedError) return new ProblemError('unauthenticated', 'Your session or token has ended.')
  return undefined
}

export function responseOfProblem({ code, message, errors, headers }: ProblemError): RouteResponse {
  return {
    status: problems[code].status,
    body: JSON.stringify(problemOf(code, message, errors)),
    headers: { ...headers, 'content-type': 'application/problem+json' },
  }
}
