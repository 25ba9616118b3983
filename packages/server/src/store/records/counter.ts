import { DigestSum, type Digests } from '@saldo/core'
import type { SqlReader, SqlWriter } from '../sql.ts'
import { type Point, UnknownUserError, type UserId } from '../store.ts'

/** A user's counter, with the digests of the live records at its version, where they are known. */
export interface Counter extends Point {
  /** When the last row of the log was logged, in milliseconds since 1970; 0 where only older programs logged any. */
  loggedMs: number
  digests: Digests | undefined
}

/** Returns a user's counter. Throws `UnknownUserError` if there is no such user. */
export async function counterOf(sql: SqlReader, user: UserId, lock: string): Promise<Counter> {
  const counter = await lockedCounter(sql, user, lock)
  if (!counter) throw new UnknownUserError()
  return counter
}

/** The same without that; `undefined` where there is no such user, or where `lock` leaves out what another holds. */
export async function lockedCounter(sql: SqlReader, user: UserId, lock: string): Promise<Counter | undefined> {
  const [row] = await sql.all<Point & { logged_at: number | null; digests: string | null }>(
    `SELECT version, tag, logged_at, digests FROM counters WHERE user_id = $1${lock}`,
    [user],
  )
  return row && { version: row.version, tag: row.tag, loggedMs: row.logged_at ?? 0, digests: readDigests(row) }
}

/** The digests that stand beside a counter, if they are of its version: a program that does not keep them leaves them behind. */
function readDigests({ version, digests }: { version: number; digests: string | null }): Digests | undefined {
  if (version === 0) return new DigestSum().digests()
  const kept = digests === null ? undefined : (JSON.parse(digests) as { version: number; kinds: Digests })
  return kept?.version === version ? kept.kinds : undefined
}

/** Writes a user's counter, whose row is locked. */
export async function saveCounter(
  sql: SqlWriter,
  user: UserId,
  { version, tag, loggedMs, digests }: Counter,
): Promise<void> {
  // Digests that are not known are left as they are: they are of an earlier version, and say so.
  await sql.run(
    'UPDATE counters SET version = $2, tag = $3, logged_at = $4, digests = COALESCE($5, digests) WHERE user_id = $1',
    [user, version, tag, loggedMs, digests ? JSON.stringify({ version, kinds: digests }) : null],
  )
}
