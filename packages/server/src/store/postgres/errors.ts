import pg from 'pg'
import { UnavailableError } from '../../errors.ts'
import { UnknownUserError } from '../store.ts'

/** The connection was lost before the transaction sent its commit, so nothing of it was kept and it may run again. */
class LostTransactionError extends UnavailableError {
  constructor(cause: unknown) {
    super('unavailable', { cause })
  }
}

/**
 * True for errors after which the transaction may succeed at once on another connection: a lost connection, a
 * serialization failure, a deadlock, and a statement that was prepared before another node changed the schema.
 */
export function canRunAgain(error: unknown): boolean {
  if (error instanceof LostTransactionError) return true
  return error instanceof UnavailableError && /^(40001|40P01|0A000|26000)$/.test(codeOf(error.cause))
}

/**
 * True if the server that answers has lost another one, such as a worker of Citus. The connection to it is whole. It
 * may have been the end of a connection that it had kept, so the work runs again once; then the other one is down.
 */
export function isServerBehindLost(error: unknown): boolean {
  return error instanceof UnavailableError && codeOf(error.cause).startsWith('08')
}

/**
 * The classes of SQLSTATE after which the same work may succeed later: lost connections, sessions refused or ended,
 * missing resources, a standby, system errors, locks and timeouts, conflicts, an administrator at work, and prepared
 * statements that no longer fit.
 */
const passing = /^(08|28|3D|40|53|55|57|58|XX)|^25(006|P03)|^(0A|26)000/

/** Translates an error of the driver into the store's errors. */
export function translated(error: unknown): unknown {
  const code = codeOf(error)
  // All references lead to users.
  if (code === '23503') return new UnknownUserError()
  if (code === '53100') return new UnavailableError('storage_full', { cause: error })
  if (!(error instanceof pg.DatabaseError) || passing.test(code))
    return new UnavailableError('unavailable', { cause: error })
  return error
}

/** Translates an error of a statement before the commit. */
export function translatedStatement(error: unknown): unknown {
  return isLostConnection(error) ? new LostTransactionError(error) : translated(error)
}

/** Translates an error of COMMIT. Its outcome is unknown if the connection was lost after it was sent. */
export function translatedCommit(error: unknown): unknown {
  return NEVER_SENT.test(messageOf(error)) ? new LostTransactionError(error) : translated(error)
}

/** The driver's errors for a statement on a connection already lost, and for a response that timed out. */
const NEVER_SENT = /is not queryable$/
const NO_ANSWER = /^Query read timeout$/

/**
 * True if the connection broke, or if the server ended it: shut down, crashed, or out of patience with an idle
 * transaction. False if the server does not answer, because it may not answer the next time either.
 */
function isLostConnection(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return /^(08|57P0[12]|25P03)/.test(codeOf(error))
  return !NO_ANSWER.test(messageOf(error))
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : ''
}

function codeOf(error: unknown): string {
  return error instanceof pg.DatabaseError ? (error.code ?? '') : ''
}
