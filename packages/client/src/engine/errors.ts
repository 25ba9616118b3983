import type { InputError, Problem, ProblemCode } from '@saldo/core'

/** A mutation is not valid and was not made. */
export class InvalidRecordError extends Error {
  readonly errors: readonly InputError[]

  constructor(errors: readonly InputError[]) {
    super(errors.map(({ pointer, detail }) => `${pointer} ${detail}`.trim()).join('; '))
    this.name = 'InvalidRecordError'
    this.errors = errors
  }
}

/** The service rejected a request. A mutation that it rejected is undone on this device. */
export class RejectedError extends Error {
  readonly problem: Problem

  constructor(problem: Problem) {
    super(problem.detail)
    this.name = 'RejectedError'
    this.problem = problem
  }
}

/**
 * The reason why the last sync failed: the problem that the service answered; `unreachable` if it did not answer;
 * `coldStartsFailed` if repeated cold starts failed; `defect` if this device failed. `detail` is for diagnosis.
 */
export interface SyncError {
  code: ProblemCode | 'unreachable' | 'coldStartsFailed' | 'defect'
  detail?: string
}
