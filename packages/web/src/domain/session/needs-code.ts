import { RejectedError } from '@saldo/client'

/** True if email and password are right, but the code of the second factor is missing or wrong. */
export function needsCode(error: unknown): boolean {
  return error instanceof RejectedError && error.problem.code === 'second_factor_required'
}
