import { companyOf, epochMs, type Instant, type LocalDate, type UserNumber, utcDate } from '@saldo/core'
import type { SqlWriter } from '../sql.ts'
import { HAS_KEY } from '../users/user-rows.ts'

/** A membership that was accepted, an offer of one, or a role, by which a company knows a user. */
interface Tie {
  path: string
  until: LocalDate | null
  of: 'membership' | 'offer' | 'role'
}

/**
 * Keeps the name and the address of a user, before they change, for the companies to which the user does not belong:
 * one that they have left, or that only offered a membership, goes on with those that it knew (D24.3). An account
 * without any key is known by an invitation alone, whose address an admin corrects.
 */
export async function keepFormerNames(sql: SqlWriter, user: UserNumber, at: Instant): Promise<void> {
  const ties = await sql.all<Tie>(
    `SELECT path, until_date AS until, CASE WHEN accepted_on IS NULL THEN 'offer' ELSE 'membership' END AS "of"
     FROM memberships JOIN team_groups ON team_groups.id = group_id WHERE user_id = $1
     UNION ALL SELECT path, until_date, 'role' FROM team_roles JOIN team_groups ON team_groups.id = group_id
     WHERE user_id = $1`,
    [user],
  )
  const today = utcDate(epochMs(at))
  for (const [company, own] of Map.groupBy(ties, ({ path }) => companyOf(path))) {
    // The roles of a member end with the last membership.
    const counted = own.some(({ of }) => of === 'membership') ? 'membership' : 'role'
    if (own.some(({ of, until }) => of === counted && (until === null || until >= today))) continue
    await sql.run(
      `INSERT INTO former_names (company_id, user_id, name, email)
       SELECT CAST($1 AS BIGINT), id, CASE WHEN name = '' THEN email ELSE name END, email
       FROM users WHERE id = $2 AND ${HAS_KEY} = 1
       ON CONFLICT DO NOTHING`,
      [company, user],
    )
  }
}
