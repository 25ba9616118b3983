import type { UserNumber } from '@saldo/core'
import type { SqlReader, SqlWriter } from '../sql.ts'
import { passkeyCreationOf } from './challenges.ts'

/** Deletes a user with all their data (D19.21). */
export async function deleteUser(sql: SqlWriter, user: UserNumber): Promise<void> {
  // A challenge refers to no user, but its purpose can name one.
  await sql.run('DELETE FROM challenges WHERE purpose = $1', [passkeyCreationOf(user)])
  for (const table of ['counters', 'records', 'sync_log', 'jobs']) {
    await sql.run(`DELETE FROM ${table} WHERE user_id = $1`, [user])
  }
  // Everything else refers to the user and goes with them.
  await sql.run('DELETE FROM users WHERE id = $1', [user])
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

/** True if a user is an admin and no other admin is active. Locks the admins, so that of two one stays. */
export async function isLastAdmin(sql: SqlReader, user: UserNumber): Promise<boolean> {
  const admins = await sql.all<{ id: UserNumber }>(
    `SELECT id FROM users WHERE role = 'admin' AND deactivated_at IS NULL ORDER BY id${sql.dialect.forUpdate}`,
  )
  return admins.length === 1 && admins[0]?.id === user
}
