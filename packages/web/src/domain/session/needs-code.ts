import { RejectedError } from '@saldo/client'

/** Whether address and password are right, and a code of the second factor is missing or wrong. */
export function needsCode(error: unknown): boolean {
  return error instanceof RejectedError && error.problem.code === 'second_factor_required'
}
