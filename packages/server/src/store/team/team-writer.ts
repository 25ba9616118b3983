import {
  type BlockedPeriod,
  type CompanyEvent,
  type CompanyPolicy,
  companyOf,
  type Instant,
  itemAt,
  type LocalDate,
  type MemberRules,
  type Membership,
  pathBelow,
  type TeamRole,
  type UserNumber,
} from '@saldo/core'
import { INBOX_MAIL_JOB, inboxMailTask, TEAM_FACTS_JOB, teamFactsTask } from '../job-task.ts'
import type { SqlWriter } from '../sql.ts'
import { inTransaction, pathsOf, type StoredGroup, TeamStore } from './team-store.ts'
import type { TrailData } from './trail-rows.ts'

/** A new group, below a parent or as a company. */
export type NewGroup = Pick<StoredGroup, 'name' | 'seesMembers' | 'leastPresent' | 'defaults'> & {
  parent: Pick<StoredGroup, 'id' | 'path'> | null
}

/** A role to store. */
export interface NewRole {
  user: UserNumber
  role: TeamRole
  groupId: number
  from: LocalDate
  until: LocalDate | null
  standsInFor: UserNumber | null
  givenBy: UserNumber | null
  isConfirmed: boolean
}

/**
 * Changes a company in one transaction, which locks the company first: of two that change one, the second finds what
 * the first has written.
 */
export class TeamWriter {
  readonly sql: SqlWriter
  readonly at: Instant
  /** Reads what the transaction sees. */
  readonly store: TeamStore
  /** The rows that it has added to the trail of the company. */
  notes = 0

  constructor(sql: SqlWriter, at: Instant) {
    this.sql = sql
    this.at = at
    this.store = new TeamStore(inTransaction(sql))
  }

  /** Locks a company until the transaction ends. */
  async lock(companyId: number): Promise<void> {
    await this.sql.all(`SELECT id FROM team_groups WHERE id = $1${this.sql.dialect.locking('FOR UPDATE')}`, [companyId])
  }

  /** Finds an active user by their address, and locks them; whoever is deactivated is `inactive`. */
  async lockUserByEmail(email: string): Promise<UserNumber | 'inactive' | undefined> {
    const [found] = await this.sql.all<{ user: UserNumber; deactivatedAt: Instant | null }>(
      `SELECT id AS "user", deactivated_at AS "deactivatedAt" FROM users
       WHERE email = $1${this.sql.dialect.locking('FOR UPDATE')}`,
      [email],
    )
    return found?.deactivatedAt === null ? found.user : found && 'inactive'
  }

  /** Locks a user, so that two companies that add them do it one after the other (D24.2). */
  async lockUser(user: UserNumber): Promise<void> {
    await this.sql.all(`SELECT id FROM users WHERE id = $1${this.sql.dialect.locking('FOR UPDATE')}`, [user])
  }

  /** True if a link that sets the password of a user was shown and can still be used, by whoever saw it. */
  async hasShownLink(user: UserNumber): Promise<boolean> {
    const shown = `SELECT user_id FROM account_links
      WHERE user_id = $1 AND purpose = 'password' AND email IS NULL AND expires_at > $2`
    return (await this.sql.all(shown, [user, this.at])).length > 0
  }

  async addGroup({
    parent,
    name,
    seesMembers,
    leastPresent,
    defaults,
  }: NewGroup): Promise<{ id: number; path: string }> {
    const rows = await this.sql.all<{ id: number }>(
      `INSERT INTO team_groups (parent_id, path, name, sees_members, least_present, defaults, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING id`,
      [
        parent?.id ?? null,
        // Until its number is known; two companies can be founded at once.
        `${parent?.path ?? ''}new ${name}`,
        ...[name, Number(seesMembers), leastPresent, defaults && JSON.stringify(defaults), this.at],
      ],
    )
    const { id } = itemAt(rows, 0)
    const path = pathBelow(parent?.path ?? null, id)
    await this.sql.run('UPDATE team_groups SET path = $2 WHERE id = $1', [id, path])
    return { id, path }
  }

  async changeGroup({ id, parentId, name, seesMembers, leastPresent, defaults }: Omit<StoredGroup, 'path'>) {
    await this.sql.run(
      `UPDATE team_groups SET parent_id = $2, name = $3, sees_members = $4, least_present = $5, defaults = $6
       WHERE id = $1`,
      [id, parentId, name, Number(seesMembers), leastPresent, defaults && JSON.stringify(defaults)],
    )
  }

  async movePaths(paths: readonly { id: number; path: string }[]): Promise<void> {
    for (const { id, path } of paths) await this.sql.run('UPDATE team_groups SET path = $2 WHERE id = $1', [id, path])
  }

  /** Deletes a group; false if anything refers to it. */
  async deleteGroup(id: number): Promise<boolean> {
    const deleted = await this.sql.run(
      `DELETE FROM team_groups WHERE id = $1
         AND NOT EXISTS (SELECT 1 FROM team_groups AS below WHERE below.parent_id = $1)
         AND NOT EXISTS (SELECT 1 FROM memberships WHERE group_id = $1)
         AND NOT EXISTS (SELECT 1 FROM team_roles WHERE group_id = $1)
         AND NOT EXISTS (SELECT 1 FROM team_blocks WHERE group_id = $1)`,
      [id],
    )
    return deleted > 0
  }

  async addMembership(user: UserNumber, groupId: number, from: LocalDate, until: LocalDate | null): Promise<number> {
    await this.#knowAnew(user, groupId)
    const rows = await this.sql.all<{ id: number }>(
      `INSERT INTO memberships (user_id, group_id, from_date, until_date, created_at)
       VALUES ($1, $2, $3, $4, $5) RETURNING id`,
      [user, groupId, from, until, this.at],
    )
    return itemAt(rows, 0).id
  }

  async endMembership(id: number, until: LocalDate | null): Promise<void> {
    await this.sql.run('UPDATE memberships SET until_date = $2 WHERE id = $1', [id, until])
  }

  async acceptMembership(
    { id, user, groupId }: Pick<Membership, 'id' | 'user' | 'groupId'>,
    on: LocalDate,
  ): Promise<void> {
    await this.#knowAnew(user, groupId)
    await this.sql.run('UPDATE memberships SET accepted_on = $2 WHERE id = $1', [id, on])
  }

  async deleteMembership(id: number): Promise<void> {
    await this.sql.run('DELETE FROM memberships WHERE id = $1', [id])
  }

  async addRole(
    { user, role, groupId, from, until, standsInFor, givenBy, isConfirmed }: NewRole,
    wasConfirmedAt: Instant | null = null,
  ): Promise<number> {
    const confirmation = isConfirmed ? [givenBy, this.at, wasConfirmedAt ?? this.at] : [null, null, wasConfirmedAt]
    const rows = await this.sql.all<{ id: number }>(
      `INSERT INTO team_roles (user_id, role, group_id, from_date, until_date, stands_in_for, given_by,
         confirmed_by, confirmed_at, first_confirmed_at, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) RETURNING id`,
      [user, role, groupId, from, until, standsInFor, givenBy, ...confirmation, this.at],
    )
    const { id } = itemAt(rows, 0)
    await this.#enqueueInboxMail(id)
    return id
  }

  /**
   * Gives a role anew, with other dates or another lead, and returns its new id: by the old one, another HR would
   * confirm what they have not seen.
   */
  async giveRoleAnew(id: number, role: NewRole): Promise<number> {
    const rows = await this.sql.all<{ wasConfirmedAt: Instant | null }>(
      'DELETE FROM team_roles WHERE id = $1 RETURNING first_confirmed_at AS "wasConfirmedAt"',
      [id],
    )
    return this.addRole(role, itemAt(rows, 0).wasConfirmedAt)
  }

  /** Ends a role earlier. Who gave and confirmed it stays. */
  async endRole(id: number, until: LocalDate | null): Promise<void> {
    await this.sql.run('UPDATE team_roles SET until_date = $2 WHERE id = $1', [id, until])
  }

  async confirmRole(id: number, by: UserNumber): Promise<void> {
    await this.sql.run(
      `UPDATE team_roles SET confirmed_by = $2, confirmed_at = $3, first_confirmed_at = COALESCE(first_confirmed_at, $3)
       WHERE id = $1`,
      [id, by, this.at],
    )
  }

  /** Lets the company of a group know the present name and address of somebody: HR names them, or they join. */
  async #knowAnew(user: UserNumber, groupId: number): Promise<void> {
    const [group] = await this.sql.all<{ path: string }>('SELECT path FROM team_groups WHERE id = $1', [groupId])
    if (!group) return
    const known = [companyOf(group.path), user]
    await this.sql.run('DELETE FROM former_names WHERE company_id = $1 AND user_id = $2', known)
  }

  async addPolicy(
    companyId: number,
    { number, from, policy }: { number: number; from: LocalDate; policy: CompanyPolicy },
    by: UserNumber | null,
  ): Promise<void> {
    await this.sql.run(
      `INSERT INTO team_policies (company_id, number, from_date, policy, given_by, created_at)
       VALUES ($1, $2, $3, $4, $5, $6)`,
      [companyId, number, from, JSON.stringify(policy), by, this.at],
    )
  }

  async replaceBlocks(companyId: number, blocks: readonly BlockedPeriod[]): Promise<void> {
    await this.sql.run('DELETE FROM team_blocks WHERE company_id = $1', [companyId])
    await this.sql.insertEach(
      {
        into: 'team_blocks (company_id, number, group_id, from_date, to_date, reason)',
        types: ['BIGINT', 'BIGINT', 'BIGINT', 'TEXT', 'TEXT', 'TEXT'],
      },
      blocks.map(({ group_id, from, to, reason }, index) => [companyId, index + 1, group_id, from, to, reason]),
    )
  }

  /** Has whoever decides by a role get a mail about waiting requests, each working day (D26.18). */
  async #enqueueInboxMail(roleId: number): Promise<void> {
    await this.sql.run(
      `INSERT INTO jobs (user_id, id, due_ms, task)
       SELECT user_id, '${INBOX_MAIL_JOB}', 0, CAST($2 AS TEXT) FROM team_roles
       WHERE id = $1 AND role IN ('lead', 'deputy', 'hr')
       ON CONFLICT (user_id, id) DO NOTHING`,
      [roleId, inboxMailTask],
    )
  }

  /** Stores the rules of a member beside the counter, null for none, and has the facts of the user made anew. */
  async putMemberRules(user: UserNumber, rules: MemberRules | null): Promise<void> {
    await this.sql.run('UPDATE counters SET member_rules = $2 WHERE user_id = $1', [
      user,
      rules && JSON.stringify(rules),
    ])
    await this.sql.run(
      `INSERT INTO jobs (user_id, id, due_ms, task) VALUES ($1, '${TEAM_FACTS_JOB}', 0, $2)
       ON CONFLICT (user_id, id) DO UPDATE SET due_ms = excluded.due_ms`,
      [user, teamFactsTask],
    )
  }

  /** Has the rules and the facts of all members of a company made anew, by a job of each. */
  async enqueueFacts(companyId: number): Promise<void> {
    await this.sql.run(
      `INSERT INTO jobs (user_id, id, due_ms, task)
       SELECT DISTINCT memberships.user_id, '${TEAM_FACTS_JOB}', 0, CAST($3 AS TEXT)
       FROM memberships JOIN team_groups ON team_groups.id = group_id
       WHERE path >= $1 AND path < $2 AND accepted_on IS NOT NULL
       ON CONFLICT (user_id, id) DO UPDATE SET due_ms = excluded.due_ms`,
      [...pathsOf(companyId), teamFactsTask],
    )
  }

  /** Adds a row to the trail of a company that is locked (D24.5). */
  async note(companyId: number, actor: UserNumber | null, kind: CompanyEvent, data: TrailData = {}): Promise<void> {
    this.notes += 1
    await this.sql.run(
      `INSERT INTO team_trail (company_id, number, at, actor, kind, data)
       SELECT CAST($1 AS BIGINT), COALESCE(MAX(number), 0) + 1, CAST($2 AS TEXT), CAST($3 AS BIGINT), CAST($4 AS TEXT),
         CAST($5 AS TEXT)
       FROM team_trail WHERE company_id = $1`,
      [companyId, this.at, actor, kind, JSON.stringify(data)],
    )
  }
}
