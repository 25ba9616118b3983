import type { UserNumber } from '@saldo/core'
import type { SqlDriver, SqlReader, SqlWriter } from '../sql.ts'
import { outsideRequest } from './acting.ts'
import { endKeysToBe } from './challenges.ts'

/**
 * By what a secret is found: the number of its user, which stands in it, and its hash. Each look-up is one among the
 * secrets of that user (D8.47).
 */
export interface SecretKey {
  user: UserNumber
  hash: string
}

/** When a job is due that is never due. */
const NEVER = Number.MAX_SAFE_INTEGER
/** No session has this id. */
export const NO_SESSION = -1
/** 1 if a user can sign in by any key. */
export const HAS_KEY = `CASE WHEN password_hash IS NULL AND NOT EXISTS (SELECT 1 FROM passkeys WHERE user_id = users.id)
  AND NOT EXISTS (SELECT 1 FROM oidc_identities WHERE user_id = users.id) THEN 0 ELSE 1 END`

/** So many rows of a table are deleted by one transaction, for which the writes of others wait on SQLite. */
const ROWS_PER_REMOVAL = 500

/**
 * Deletes a user with all their data (D19.21), but for records and log, of which nothing can be found any more, since
 * the user and the counter are gone: a job that is never due says that they are still to be removed.
 */
export async function deleteUser(sql: SqlWriter, user: UserNumber): Promise<void> {
  // A challenge refers to no user, but its purpose can name one.
  await endKeysToBe(sql, user)
  for (const table of ['counters', 'jobs']) await sql.run(`DELETE FROM ${table} WHERE user_id = $1`, [user])
  await sql.run(`INSERT INTO jobs (user_id, id, due_ms, task) VALUES ($1, 'removal', $2, '{}')`, [user, NEVER])
  // Everything else refers to the user and goes with them.
  await sql.run('DELETE FROM users WHERE id = $1', [user])
}

/**
 * Runs a write that may delete users, then removes their records and logs. What cannot be removed now, as on a full
 * disk, is left for the service's next look (`removeDeleted`), which says so: the users are deleted.
 */
export async function deletingUsers<T>(
  driver: SqlDriver,
  body: (sql: SqlWriter, remove: (user: UserNumber) => Promise<void>) => Promise<T>,
): Promise<T> {
  const deleted = new Set<UserNumber>()
  const result = await driver.write((sql) =>
    body(sql, async (user) => {
      await deleteUser(sql, user)
      deleted.add(user)
    }),
  )
  await outsideRequest(() => removeRows(driver, deleted, () => {}))
  return result
}

/** Removes what is left of deleted users. One who fails keeps back nobody else. */
export async function removeDeleted(
  driver: SqlDriver,
  onFailure: (user: UserNumber, error: unknown) => void,
): Promise<void> {
  const left = await driver.all<{ user: UserNumber }>('SELECT user_id AS "user" FROM jobs WHERE due_ms = $1', [NEVER])
  await removeRows(driver, new Set(left.map(({ user }) => user)), onFailure)
}

/** Removes the records and logs of deleted users, in short transactions. */
async function removeRows(
  driver: SqlDriver,
  users: ReadonlySet<UserNumber>,
  onFailure: (user: UserNumber, error: unknown) => void,
): Promise<void> {
  for (const user of users) {
    try {
      while (await driver.write((sql) => removeSome(sql, user), user));
    } catch (error) {
      onFailure(user, error)
    }
  }
}

/** Removes some rows of a deleted user, and the job with the last. Returns true if there may be more. */
async function removeSome(sql: SqlWriter, user: UserNumber): Promise<boolean> {
  // Another node that does the same goes first. Without the job, it has removed all, or the user was not deleted.
  const job = `SELECT id FROM jobs WHERE user_id = $1 AND id = 'removal'${sql.dialect.locking('FOR UPDATE')}`
  if ((await sql.all(job, [user])).length === 0) return false
  const records = await sql.run(
    `DELETE FROM records WHERE user_id = $1 AND (kind, id) IN
       (SELECT kind, id FROM records WHERE user_id = $1 LIMIT $2)`,
    [user, ROWS_PER_REMOVAL],
  )
  const logged = await sql.run(
    `DELETE FROM sync_log WHERE user_id = $1 AND version IN
       (SELECT version FROM sync_log WHERE user_id = $1 LIMIT $2)`,
    [user, ROWS_PER_REMOVAL],
  )
  if (Math.max(records, logged) === ROWS_PER_REMOVAL) return true
  await sql.run(`DELETE FROM jobs WHERE user_id = $1 AND id = 'removal'`, [user])
  return false
}

/** Revokes the keys of a user that outlast a session: tokens, calendar feeds and webhooks (D8.32). */
export async function revokeKeys(sql: SqlWriter, user: UserNumber): Promise<void> {
  for (const table of ['tokens', 'calendar_feeds', 'webhooks']) {
    await sql.run(`DELETE FROM ${table} WHERE user_id = $1`, [user])
  }
}

/** Revokes the links that a user was sent, and ends a passkey or second factor that is being created. */
export async function revokeLinks(sql: SqlWriter, user: UserNumber): Promise<void> {
  await sql.run('DELETE FROM account_links WHERE user_id = $1', [user])
  await endKeysToBe(sql, user)
}

/** Ends the sessions of a user, and revokes the links that they were sent. */
export async function endSessionsAndLinks(sql: SqlWriter, user: UserNumber): Promise<void> {
  await sql.run('DELETE FROM sessions WHERE user_id = $1', [user])
  await revokeLinks(sql, user)
}

/** Ends the sessions of a user, and revokes their keys and the links that they were sent. */
export async function revokeAccess(sql: SqlWriter, user: UserNumber): Promise<void> {
  await endSessionsAndLinks(sql, user)
  await revokeKeys(sql, user)
}

/**
 * Ends all that opened an account but the password, the identities at providers and one session, if given (D8.41):
 * sessions, keys and links, passkeys and the second factor, and what would still become a passkey.
 */
export async function endEarlierKeys(sql: SqlWriter, user: UserNumber, keptSession = NO_SESSION): Promise<void> {
  await sql.run('DELETE FROM sessions WHERE user_id = $1 AND id <> $2', [user, keptSession])
  await revokeLinks(sql, user)
  await revokeKeys(sql, user)
  for (const table of ['passkeys', 'second_factors', 'recovery_codes']) {
    await sql.run(`DELETE FROM ${table} WHERE user_id = $1`, [user])
  }
}

/** True if a user is an admin and no other admin is active. Locks the admins, so that of two one stays. */
export async function isLastAdmin(sql: SqlReader, user: UserNumber): Promise<boolean> {
  const admins = await sql.all<{ id: UserNumber }>(
    `SELECT id FROM users WHERE role = 'admin' AND deactivated_at IS NULL ORDER BY id
     ${sql.dialect.locking('FOR UPDATE')}`,
  )
  return admins.length === 1 && admins[0]?.id === user
}

/** Writes what may give a user an address, which the work asks about last. */
export async function withAddress<T>(
  driver: SqlDriver,
  user: UserNumber,
  email: string | undefined,
  work: (sql: SqlWriter, isTaken: (sql: Pick<SqlReader, 'all'>) => Promise<boolean>) => Promise<T>,
): Promise<T | { outcome: 'email_taken' }> {
  const isTaken = async (sql: Pick<SqlReader, 'all'>) =>
    email !== undefined &&
    (await sql.all('SELECT id FROM users WHERE email = $1 AND id <> $2', [email, user])).length > 0
  try {
    return await driver.write((sql) => work(sql, isTaken))
  } catch (error) {
    // Two users who take one address at once: the unique index refuses the second.
    if (await isTaken(driver)) return { outcome: 'email_taken' }
    throw error
  }
}
