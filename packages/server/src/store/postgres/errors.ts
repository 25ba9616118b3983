import pg from 'pg'
import { UnavailableError } from '../sql.ts'
import { UnknownUserError } from '../store.ts'

/**
 * What may succeed at once when it is run again: transactions ended in favour of another (serialisation failures and
 * deadlocks), and statements prepared before another node changed the schema, on a connection that is new then.
 */
export function canRunAgain(error: unknown): boolean {
  return error instanceof UnavailableError && /^(40001|40P01|0A000|26000)$/.test(codeOf(error.cause))
}

/**
 * The classes of SQLSTATE after which the same work may succeed later: lost connections, sessions refused or ended, no
 * resources, a standby, errors of its system, locks and timeouts, conflicts, an administrator at work, prepared statements
 * that no longer fit.
 */
const passing = /^(08|28|3D|40|53|55|57|58|XX)|^25(006|P03)|^(0A|26)000/

export function translated(error: unknown): unknown {
  // All references lead to users.
  const code = codeOf(error)
  if (code === '23503') return new UnknownUserError()
  if (code === '53100') return new UnavailableError('storage_full', { cause: error })
  if (!(error instanceof pg.DatabaseError) || passing.test(code))
    return new UnavailableError('unavailable', { cause: error })
  return error
}

function codeOf(error: unknown): string {
  return error instanceof pg.DatabaseError ? (error.code ?? '') : ''
}
