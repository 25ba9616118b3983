import type { InputError, Problem, ProblemCode, RecordId } from '@saldo/core'
import type { ExchangeFailure } from '../host/exchange-failure.ts'

/** A mutation is not valid and was not made. */
export class InvalidRecordError extends Error {
  readonly errors: readonly InputError[]

  constructor(errors: readonly InputError[]) {
    super(textOf(errors))
    this.name = 'InvalidRecordError'
    this.errors = errors
  }
}

/** A patch is of a record that is gone: another device may have deleted it. */
export class MissingRecordError extends RangeError {
  constructor(id: RecordId) {
    super(`there is no record ${id}`)
    this.name = 'MissingRecordError'
  }
}

/** The service rejected a request. A mutation that it rejected is undone on this device. */
export class RejectedError extends Error {
  readonly problem: Problem

  constructor(problem: Problem) {
    super([problem.detail, textOf(problem.errors ?? [])].filter(Boolean).join(' '))
    this.name = 'RejectedError'
    this.problem = problem
  }
}

function textOf(errors: readonly InputError[]): string {
  return errors.map(({ pointer, detail }) => `${pointer} ${detail}`.trim()).join('; ')
}

/**
 * The reason why the last sync failed: the problem with which the service responded; an `ExchangeFailure` if it did
 * not; `coldStartsFailed` if repeated cold starts failed; `defect` if this device failed. `detail` is for diagnosis.
 */
export interface SyncError {
  code: ProblemCode | ExchangeFailure['code'] | 'coldStartsFailed' | 'defect'
  detail?: string
}
