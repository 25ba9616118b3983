import { companyOf, type Instant, type TeamRole, type UserNumber } from '@saldo/core'
import type { SqlWriter } from '../sql.ts'
import { TeamWriter } from './team-writer.ts'

/**
 * Lets the roles of a user rest until HR confirms them again, since somebody else has reset the account (D24.9). It is
 * in the trail of the company.
 */
export async function restRoles(sql: SqlWriter, user: UserNumber, at: Instant): Promise<void> {
  const rows = await sql.all<{ id: number; role: TeamRole; path: string; name: string }>(
    `SELECT team_roles.id, role, path, name FROM team_roles JOIN team_groups ON team_groups.id = group_id
     WHERE user_id = $1 AND confirmed_at IS NOT NULL ORDER BY path, team_roles.id`,
    [user],
  )
  const writer = new TeamWriter(sql, at)
  for (const { id, role, path, name } of rows) {
    const companyId = companyOf(path)
    await writer.lock(companyId)
    await sql.run('UPDATE team_roles SET confirmed_by = NULL, confirmed_at = NULL WHERE id = $1', [id])
    await writer.note(companyId, null, 'role_rests', { user, role, group: name })
  }
}
