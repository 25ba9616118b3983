import { companyOf, type Instant, type TeamRole, type UserNumber } from '@saldo/core'
import type { SqlWriter } from '../sql.ts'
import { TeamWriter } from './team-writer.ts'

/**
 * Ends what companies have bound to an address that its user has not confirmed, before another address replaces it
 * (D24.23): HR named the person of that address. Offers, roles that nobody has confirmed and personnel data go, and the
 * trail of the company has the first two. Where the user has joined, all stays: without mail, members have unconfirmed
 * addresses.
 */
export async function endUnprovenTies(sql: SqlWriter, user: UserNumber, at: Instant): Promise<void> {
  const writer = new TeamWriter(sql, at)
  const memberships = await writer.store.memberships([user])
  const joined = new Set(memberships.flatMap(({ acceptedOn, path }) => (acceptedOn === null ? [] : companyOf(path))))
  const roles = await sql.all<{ id: number; role: TeamRole; path: string; name: string }>(
    `SELECT team_roles.id, role, path, name FROM team_roles JOIN team_groups ON team_groups.id = group_id
     WHERE user_id = $1 AND first_confirmed_at IS NULL ORDER BY path, team_roles.id`,
    [user],
  )
  const companies = new Set(
    [...memberships, ...roles].map(({ path }) => companyOf(path)).filter((id) => !joined.has(id)),
  )
  for (const companyId of [...companies].toSorted((a, b) => a - b)) {
    await writer.lock(companyId)
    const groups = new Map((await writer.store.groups(companyId)).map(({ id, name }) => [id, name]))
    for (const { id, groupId, path } of memberships) {
      if (companyOf(path) !== companyId) continue
      await writer.deleteMembership(id)
      await writer.note(companyId, user, 'member_declined', { user, group: groups.get(groupId) ?? '' })
    }
    for (const { id, role, path, name } of roles) {
      if (companyOf(path) !== companyId) continue
      await sql.run('DELETE FROM team_roles WHERE id = $1', [id])
      await writer.note(companyId, user, 'role_ended', { user, role, group: name })
    }
    await sql.run('DELETE FROM personnel WHERE company_id = $1 AND user_id = $2', [companyId, user])
  }
}
