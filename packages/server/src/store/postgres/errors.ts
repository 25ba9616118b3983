import pg from 'pg'
import { UnavailableError } from '../sql.ts'
import { UnknownUserError } from '../store.ts'

/** The server has not answered in time. */
export class NoAnswerError extends Error {
  constructor() {
    super('the server does not answer')
    this.name = 'NoAnswerError'
  }
}

/**
 * The connection was lost before the transaction sent its commit: with it went all that was done, and on another one it may be
 * done again.
 */
class LostTransactionError extends UnavailableError {
  constructor(cause: unknown) {
    super('unavailable', { cause })
  }
}

/**
 * What may succeed at once when it is run again: transactions whose connection was lost, or that were ended in favour of
 * another (serialisation failures and deadlocks), and statements prepared before another node changed the schema, on a
 * connection that is new then.
 */
export function canRunAgain(error: unknown): boolean {
  if (error instanceof LostTransactionError) return true
  return error instanceof UnavailableError && /^(40001|40P01|0A000|26000)$/.test(codeOf(error.cause))
}

/**
 * The classes of SQLSTATE after which the same work may succeed later: lost connections, sessions refused or ended, no
 * resources, a standby, errors of its system, locks and timeouts, conflicts, an administrator at work, prepared statements
 * that no longer fit.
 */
const passing = /^(08|28|3D|40|53|55|57|58|XX)|^25(006|P03)|^(0A|26)000/

/** What an error of the driver means: `UnavailableError` for what may pass. */
export function translated(error: unknown): unknown {
  // All references lead to users.
  const code = codeOf(error)
  if (code === '23503') return new UnknownUserError()
  if (code === '53100') return new UnavailableError('storage_full', { cause: error })
  if (!(error instanceof pg.DatabaseError) || passing.test(code))
    return new UnavailableError('unavailable', { cause: error })
  return error
}

/**
 * The same for the error of a statement in a transaction: `LostTransactionError` where the connection was lost and nothing can
 * have been kept. Of a lost commit nobody knows, unless it never left.
 */
export function translatedStatement(error: unknown, isCommit: boolean): unknown {
  const isLost = isCommit ? NEVER_LEFT.test(messageOf(error)) : isLoss(error)
  return isLost ? new LostTransactionError(error) : translated(error)
}

/** How the driver tells that it had no connection any more for a statement, and, where the URL has a `query_timeout`, no answer. */
const NEVER_LEFT = /is not queryable$/
const NO_ANSWER = /^Query read timeout$/

/**
 * Whether the connection broke, or the server ended it: shut down, crashed, or tired of a node that fell silent (stopped, or
 * starved by others). A server that does not answer in time may be as silent the next time.
 */
function isLoss(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return /^(08|57P0[12]|25P03)/.test(codeOf(error))
  return !(error instanceof NoAnswerError || NO_ANSWER.test(messageOf(error)))
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : ''
}

function codeOf(error: unknown): string {
  return error instanceof pg.DatabaseError ? (error.code ?? '') : ''
}
