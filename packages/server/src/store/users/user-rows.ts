import type { UserNumber } from '@saldo/core'
import type { SqlDriver, SqlReader, SqlWriter } from '../sql.ts'
import { passkeyCreationOf } from './challenges.ts'

/**
 * By what a secret is found: the number of its user, which stands in it, and its hash. Each look-up is one among the
 * secrets of that user (D8.47).
 */
export interface SecretKey {
  user: UserNumber
  hash: string
}

/** No session has this id. */
export const NO_SESSION = -1
/** 1 if a user can sign in by any key. */
export const HAS_KEY = `CASE WHEN password_hash IS NULL AND NOT EXISTS (SELECT 1 FROM passkeys WHERE user_id = users.id)
  AND NOT EXISTS (SELECT 1 FROM oidc_identities WHERE user_id = users.id) THEN 0 ELSE 1 END`

/** So many rows are deleted by one statement, in which SQLite serves nobody else. */
const ROWS_PER_STATEMENT = 500

/** Deletes a user with all their data (D19.21). */
export async function deleteUser(sql: SqlWriter, user: UserNumber): Promise<void> {
  // A challenge refers to no user, but its purpose can name one.
  await sql.run('DELETE FROM challenges WHERE purpose = $1', [passkeyCreationOf(user)])
  for (const table of ['counters', 'jobs']) await sql.run(`DELETE FROM ${table} WHERE user_id = $1`, [user])
  await untilNone(() =>
    sql.run(
      `DELETE FROM records WHERE user_id = $1 AND (kind, id) IN
         (SELECT kind, id FROM records WHERE user_id = $1 LIMIT $2)`,
      [user, ROWS_PER_STATEMENT],
    ),
  )
  await untilNone(() =>
    sql.run(
      `DELETE FROM sync_log WHERE user_id = $1 AND version IN
         (SELECT version FROM sync_log WHERE user_id = $1 LIMIT $2)`,
      [user, ROWS_PER_STATEMENT],
    ),
  )
  // Everything else refers to the user and goes with them.
  await sql.run('DELETE FROM users WHERE id = $1', [user])
}

/** Repeats a statement until it changes no row. */
async function untilNone(run: () => Promise<number>): Promise<void> {
  while ((await run()) > 0);
}

/** Revokes the keys of a user that outlast a session: tokens, calendar feeds and webhooks (D8.32). */
export async function revokeKeys(sql: SqlWriter, user: UserNumber): Promise<void> {
  for (const table of ['tokens', 'calendar_feeds', 'webhooks']) {
    await sql.run(`DELETE FROM ${table} WHERE user_id = $1`, [user])
  }
}

/** Revokes the links that a user was sent, and ends a passkey that is being created. */
export async function revokeLinks(sql: SqlWriter, user: UserNumber): Promise<void> {
  await sql.run('DELETE FROM account_links WHERE user_id = $1', [user])
  await sql.run('DELETE FROM challenges WHERE purpose = $1', [passkeyCreationOf(user)])
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
