import type { Digests, EpochMs, SyncPosition, UserNumber } from '@saldo/core'
import type { SqlReader, SqlWriter } from '../sql.ts'
import { UnknownUserError } from '../store.ts'

/** A user's counter, with the digests of the live records at its version; a kind without records may be missing. */
export interface Counter extends SyncPosition {
  /** When the last row of the log was logged, in milliseconds since 1970; 0 if there is none. */
  loggedMs: EpochMs
  digests: Partial<Digests>
}

/** Reads a user's counter. Throws `UnknownUserError` if there is no such user. */
export async function readCounter(sql: SqlReader, user: UserNumber, lock = ''): Promise<Counter> {
  const counter = await findCounter(sql, user, lock)
  if (!counter) throw new UnknownUserError()
  return counter
}

/** Returns `undefined` if there is no such user, or if `lock` skips a row that another transaction has locked. */
export async function findCounter(sql: SqlReader, user: UserNumber, lock: string): Promise<Counter | undefined> {
  const [row] = await sql.all<SyncPosition & { logged_at: EpochMs; digests: string }>(
    `SELECT version, tag, logged_at, digests FROM counters WHERE user_id = $1${lock}`,
    [user],
  )
  return (
    row && {
      version: row.version,
      tag: row.tag,
      loggedMs: row.logged_at,
      digests: JSON.parse(row.digests) as Partial<Digests>,
    }
  )
}

/** Writes a user's counter, whose row is locked. */
export async function saveCounter(sql: SqlWriter, user: UserNumber, counter: Counter): Promise<void> {
  const { version, tag, loggedMs, digests } = counter
  await sql.run('UPDATE counters SET version = $2, tag = $3, logged_at = $4, digests = $5 WHERE user_id = $1', [
    user,
    version,
    tag,
    loggedMs,
    JSON.stringify(digests),
  ])
}
