import type {
  BlockedPeriod,
  BoardFacts,
  DateRange,
  EpochMs,
  Group,
  Instant,
  LocalDate,
  MemberDefaults,
  Membership,
  PolicyVersion,
  RequestDecision,
  RoleGrant,
  SubstituteAnswer,
  TeamRole,
  UserNumber,
  ZoneName,
} from '@saldo/core'
import { companyOf, countedHrs, dateInZone, folded, hasWords, lastDateOfRole, lastMemberDate } from '@saldo/core'
import { mapInSlices, TimeSlice } from '../../time-slice.ts'
import { readColumn } from '../json-columns.ts'
import type { SqlReader } from '../sql.ts'
import { HAS_KEY } from '../users/user-rows.ts'
import type { Presence, StoredFacts } from './team-facts.ts'
import type { StoredTrailRow } from './trail-rows.ts'

/** A source of snapshots: a database engine, or one open transaction (`inTransaction`). */
export interface TeamSource {
  read<T>(body: (sql: SqlReader) => Promise<T>): Promise<T>
}

/** Returns one open transaction as a source, so that what it reads is what it has locked. */
export function inTransaction(sql: SqlReader): TeamSource {
  return { read: (body) => body(sql) }
}

/** The company of a user. */
export interface OwnCompany {
  companyId: number
  companyName: string
}

/** A group with what only its company's managers see. */
export interface StoredGroup extends Group {
  defaults: MemberDefaults | null
}

/** A role that was given, with who has it. */
export interface StoredGrant extends RoleGrant {
  groupId: number
  createdAt: Instant
  /** False while the account of the user is deactivated. */
  isActive: boolean
}

/** A period in which absences are unwelcome, with its number. */
export type StoredBlock = BlockedPeriod & { number: number }

/** A user as the pages of a team name them. */
export interface NamedUser {
  user: UserNumber
  name: string
  email: string
  isActive: boolean
  /** False while nobody has shown that the address is theirs (D8.40). */
  isConfirmed: boolean
}

/** The place of a member in the order of names. */
export interface MemberKey {
  user: UserNumber
  name: string
}

/** Groups by their numbers, and the dates on one of which somebody has to be a member to count. */
export interface GroupsOnDates {
  ids: readonly number[]
  dates: DateRange
}

/** The parts of a decision on which the state of a request depends. */
export type DecisionKey = Pick<RequestDecision, 'request' | 'digest' | 'state'>

/** A user of a company, as the list of people has them. */
export interface StoredPerson extends Omit<NamedUser, 'isConfirmed'> {
  lastActiveAt: Instant | null
  isInvited: boolean
}

interface StoredRole {
  id: number
  user: UserNumber
  role: TeamRole
  groupId: number
  path: string
  from: LocalDate
  until: LocalDate | null
  standsInFor: UserNumber | null
  givenBy: UserNumber | null
  confirmedAt: Instant | null
  firstConfirmedAt: Instant | null
  createdAt: Instant
  deactivatedAt: Instant | null
}

const GROUP = `id, parent_id AS "parentId", path, name, sees_members AS "seesMembers",
  least_present AS "leastPresent"`
const MEMBERSHIP = `memberships.id, memberships.user_id AS "user", group_id AS "groupId", path,
  from_date AS "from", until_date AS until, accepted_on AS "acceptedOn"`
const JOINED = 'JOIN team_groups ON team_groups.id = group_id'
const ROLE = `team_roles.id, user_id AS "user", role, group_id AS "groupId", path, from_date AS "from",
  until_date AS until, stands_in_for AS "standsInFor", given_by AS "givenBy", confirmed_at AS "confirmedAt",
  first_confirmed_at AS "firstConfirmedAt", team_roles.created_at AS "createdAt",
  (SELECT deactivated_at FROM users WHERE users.id = team_roles.user_id) AS "deactivatedAt"`
/** So many rows of a trail are read at once: others are served in between. */
const ROWS_PER_READ = 200
/** The order of grants: a page and its repetition have the same. */
const ROLE_ORDER = 'ORDER BY path, role, from_date, team_roles.id'
const BELOW = 'path >= $1 AND path < $2'
/** The name and the address of a user as a company knows them, whose former name is joined. */
const KNOWN_NAME = `COALESCE(former_names.name, CASE WHEN users.name = '' THEN users.email ELSE users.name END)`
const KNOWN = `${KNOWN_NAME} AS name, COALESCE(former_names.email, users.email) AS email`

/** A membership or role of a user, by which they belong to a company. */
interface Tie {
  path: string
  until: LocalDate | null
  of: 'membership' | 'role'
  from: LocalDate
  /** The date on which a membership was accepted; null for an offer, and for a role. */
  acceptedOn: LocalDate | null
  /** When HR confirmed a role first; null for one that nobody has confirmed, and for a membership. */
  firstConfirmedAt: Instant | null
  zone: ZoneName | null
}

function lastDateOfTie(tie: Tie, all: readonly Tie[]): LocalDate | null {
  if (tie.of !== 'role') return tie.until
  const company = companyOf(tie.path)
  const memberships = all.filter(({ of, path }) => of !== 'role' && companyOf(path) === company)
  return lastDateOfRole(tie.until, lastMemberDate(memberships))
}

/**
 * Returns the present date by which the roles of a user end and memberships begin: that of the account or of UTC,
 * whichever is later. By that of the account alone, a zone of the user's choice would keep roles for hours (D24.7), and
 * whoever has just joined and enters a zone in the west would wait for hours.
 */
export function endingDateOfRoles(nowMs: EpochMs, zone: ZoneName): LocalDate {
  const [ofUtc, ofZone] = [dateInZone(nowMs, 'UTC'), dateInZone(nowMs, zone)]
  return ofUtc > ofZone ? ofUtc : ofZone
}

/** Companies as they are stored: groups, memberships, roles, policies. Nothing here reads a record. */
export class TeamStore {
  readonly #source: TeamSource

  constructor(source: TeamSource) {
    this.#source = source
  }

  /**
   * Returns the company to which a user belongs: by an accepted membership that has begun or a role that was confirmed
   * at any time, neither of which has ended (D24.24). Dates are those of the user's account.
   */
  companyOf(user: UserNumber, nowMs: EpochMs): Promise<OwnCompany | undefined> {
    return this.#companyOf(user, nowMs, ({ of, from, acceptedOn, firstConfirmedAt }, latestDate) => {
      if (of === 'role') return firstConfirmedAt !== null
      return acceptedOn !== null && acceptedOn <= latestDate && from <= latestDate
    })
  }

  /**
   * Returns the company that concerns a user: as `companyOf`, or by a membership that waits for acceptance or begins
   * later, or a role that waits for HR. Until then, they see nothing of the company but what accepting means (D24.3).
   */
  companyConcerning(user: UserNumber, nowMs: EpochMs): Promise<OwnCompany | undefined> {
    return this.#companyOf(user, nowMs, () => true)
  }

  #companyOf(
    user: UserNumber,
    nowMs: EpochMs,
    counts: (tie: Tie, latestDate: LocalDate) => boolean,
  ): Promise<OwnCompany | undefined> {
    return this.#source.read(async (sql) => {
      const ties = await sql.all<Tie>(
        `SELECT path, from_date AS "from", ties.until_date AS until, "of", accepted_on AS "acceptedOn",
           confirmed AS "firstConfirmedAt", time_zone AS zone
         FROM (SELECT group_id, from_date, until_date, 'membership' AS "of", accepted_on, NULL AS confirmed
             FROM memberships WHERE user_id = $1
           UNION ALL SELECT group_id, from_date, until_date, 'role', NULL, first_confirmed_at
             FROM team_roles WHERE user_id = $1) AS ties
         ${JOINED} LEFT JOIN team_facts ON team_facts.user_id = $1
         ORDER BY path`,
        [user],
      )
      const own = ties.find((tie) => {
        const zone = tie.zone ?? 'UTC'
        if (!counts(tie, endingDateOfRoles(nowMs, zone))) return false
        const until = lastDateOfTie(tie, ties)
        return until === null || until >= (tie.of === 'role' ? endingDateOfRoles : dateInZone)(nowMs, zone)
      })
      if (!own) return undefined
      const companyId = companyOf(own.path)
      const [company] = await sql.all<{ name: string }>('SELECT name FROM team_groups WHERE id = $1', [companyId])
      return company && { companyId, companyName: company.name }
    })
  }

  /** Returns all companies, the oldest first. */
  companies(): Promise<OwnCompany[]> {
    return this.#all(
      'SELECT id AS "companyId", name AS "companyName" FROM team_groups WHERE parent_id IS NULL ORDER BY id',
      [],
    )
  }

  /** True if a user is an active admin of the service. */
  async isAdmin(user: UserNumber): Promise<boolean> {
    const admins = "SELECT 1 FROM users WHERE id = $1 AND role = 'admin' AND deactivated_at IS NULL"
    return (await this.#all(admins, [user])).length > 0
  }

  /** Returns the groups of a company, each behind its parent. */
  async groups(companyId: number): Promise<Group[]> {
    const rows = await this.#all<Omit<Group, 'seesMembers'> & { seesMembers: number }>(
      `SELECT ${GROUP} FROM team_groups WHERE ${BELOW} ORDER BY path`,
      pathsOf(companyId),
    )
    return rows.map(({ seesMembers, ...group }) => ({ ...group, seesMembers: seesMembers === 1 }))
  }

  /** Returns the same with the defaults for new members, which few need. */
  async groupsWithDefaults(companyId: number): Promise<StoredGroup[]> {
    type Row = Omit<StoredGroup, 'seesMembers' | 'defaults'> & { seesMembers: number; defaults: string | null }
    const rows = await this.#all<Row>(
      `SELECT ${GROUP}, defaults FROM team_groups WHERE ${BELOW} ORDER BY path`,
      pathsOf(companyId),
    )
    return mapInSlices(rows, ({ seesMembers, defaults, ...group }) => ({
      ...group,
      seesMembers: seesMembers === 1,
      defaults: defaults === null ? null : readColumn('defaults', defaults),
    }))
  }

  /** Returns the memberships in a company, or those of users in any company, ended ones too. */
  memberships(of: number | readonly UserNumber[]): Promise<Membership[]> {
    return this.#source.read((sql) => {
      const select = `SELECT ${MEMBERSHIP} FROM memberships ${JOINED}`
      const order = 'ORDER BY from_date, memberships.id'
      return typeof of === 'number'
        ? sql.all(`${select} WHERE ${BELOW} ${order}`, pathsOf(of))
        : sql.all(`${select} WHERE memberships.user_id IN ${usersIn(sql)} ${order}`, [of.map(String)])
    })
  }

  /** True if a group has a membership that was accepted, ended or not. */
  async hasMembers(groupId: number): Promise<boolean> {
    const accepted = 'SELECT 1 FROM memberships WHERE group_id = $1 AND accepted_on IS NOT NULL LIMIT 1'
    return (await this.#all(accepted, [groupId])).length > 0
  }

  /**
   * Returns the roles in a company that were ever given, or those of one user. Whoever has left it has none any more
   * (D24.20).
   */
  async grants(companyId: number, user?: UserNumber): Promise<StoredGrant[]> {
    const ofUser = user === undefined ? '' : 'AND team_roles.user_id = $3'
    const rows = await this.#all<StoredRole>(
      `SELECT ${ROLE} FROM team_roles ${JOINED} WHERE ${BELOW} ${ofUser} ${ROLE_ORDER}`,
      [...pathsOf(companyId), ...(user === undefined ? [] : [user])],
    )
    const memberships = rows.length === 0 ? [] : await this.memberships([...new Set(rows.map(({ user }) => user))])
    const inCompany = Map.groupBy(
      memberships.filter(({ path }) => companyOf(path) === companyId),
      ({ user }) => user,
    )
    return rows.map(({ confirmedAt, firstConfirmedAt, deactivatedAt, ...grant }) => ({
      ...grant,
      isActive: deactivatedAt === null,
      until: lastDateOfRole(grant.until, lastMemberDate(inCompany.get(grant.user) ?? [])),
      isConfirmed: confirmedAt !== null,
      wasConfirmed: firstConfirmedAt !== null,
    }))
  }

  /** True if a user counts as HR of any company on a date, who keeps the account until then (D24.20). */
  async countsAsHr(user: UserNumber, date: LocalDate): Promise<boolean> {
    const companies = new Set((await this.rolesOf([user])).map(({ path }) => companyOf(path)))
    for (const company of companies) {
      if (countedHrs(await this.grants(company), date).includes(user)) return true
    }
    return false
  }

  /** Returns the groups for which users have roles, in force or not. */
  async rolesOf(users: readonly UserNumber[]): Promise<{ user: UserNumber; path: string }[]> {
    if (users.length === 0) return []
    return this.#source.read((sql) =>
      sql.all(`SELECT DISTINCT user_id AS "user", path FROM team_roles ${JOINED} WHERE user_id IN ${usersIn(sql)}`, [
        users.map(String),
      ]),
    )
  }

  /** Returns the versions of a company's policy in the order of their dates; the last of a date counts. */
  async policies(companyId: number): Promise<PolicyVersion[]> {
    const rows = await this.#all<{ number: number; from: LocalDate; policy: string }>(
      `SELECT number, from_date AS "from", policy FROM team_policies WHERE company_id = $1 ORDER BY from_date, number`,
      [companyId],
    )
    return rows.map(({ policy, ...version }) => ({ ...version, policy: readColumn('policy', policy) }))
  }

  /** Returns the blocked periods of a company in the order of their dates. */
  blocks(companyId: number): Promise<StoredBlock[]> {
    return this.#all(
      `SELECT number, group_id, from_date AS "from", to_date AS "to", reason
       FROM team_blocks WHERE company_id = $1 ORDER BY from_date, number`,
      [companyId],
    )
  }

  /**
   * Returns the names of users by their numbers; somebody without a name has the address as name. A company gets those
   * of whoever does not belong to it as it knew them (D24.3); without one, they are those of the accounts.
   */
  async names(users: readonly UserNumber[], companyId: number | null): Promise<Map<UserNumber, NamedUser>> {
    if (users.length === 0) return new Map()
    const rows = await this.#source.read((sql) =>
      sql.all<{ user: UserNumber; name: string; email: string; deactivatedAt: Instant | null; isConfirmed: number }>(
        `SELECT id AS "user", ${KNOWN}, deactivated_at AS "deactivatedAt", CASE WHEN email_confirmed_at IS NULL THEN 0 ELSE 1 END AS "isConfirmed"
         FROM users LEFT JOIN former_names ON former_names.user_id = users.id AND former_names.company_id = $2
         WHERE id IN ${usersIn(sql)}`,
        [users.map(String), companyId],
      ),
    )
    return new Map(
      rows.map(({ deactivatedAt, isConfirmed, ...row }) => [
        row.user,
        { ...row, isActive: deactivatedAt === null, isConfirmed: isConfirmed === 1 },
      ]),
    )
  }

  /** Returns a look-up of names of users as companies know them. */
  async namesIn(
    known: readonly { user: UserNumber; company: number }[],
  ): Promise<(user: UserNumber, company: number) => string> {
    const byCompany = new Map<number, ReadonlyMap<UserNumber, NamedUser>>()
    for (const [company, ofCompany] of Map.groupBy(known, (one) => one.company)) {
      byCompany.set(company, await this.names([...new Set(ofCompany.map(({ user }) => user))], company))
    }
    return (user, company) => byCompany.get(company)?.get(user)?.name ?? ''
  }

  /** Returns the users of a company, or of a group and those below, whose name or address has words, by name. */
  async people(
    companyId: number,
    { group, words = [] }: { group?: string | undefined; words?: readonly string[] } = {},
  ): Promise<StoredPerson[]> {
    const [first, last] = pathsOf(companyId)
    type Row = Omit<StoredPerson, 'isInvited' | 'isActive'> & { hasKey: number; deactivatedAt: Instant | null }
    const rows = await this.#all<Row>(
      `SELECT * FROM (
         SELECT id AS "user", ${KNOWN}, last_active_at AS "lastActiveAt", deactivated_at AS "deactivatedAt", ${HAS_KEY} AS "hasKey"
         FROM users LEFT JOIN former_names ON former_names.user_id = users.id AND former_names.company_id = $4
         WHERE id IN (
           SELECT memberships.user_id FROM memberships ${JOINED} WHERE path >= $1 AND path < $2
           UNION SELECT team_roles.user_id FROM team_roles ${JOINED}
             WHERE path >= $1 AND path < $2 AND CAST($3 AS TEXT) IS NULL)
       ) AS people ORDER BY name, "user"`,
      [group ?? first, group ? `${group.slice(0, -1)}0` : last, group ?? null, companyId],
    )
    return rows
      .map(({ hasKey, deactivatedAt, ...row }) => ({
        ...row,
        isInvited: hasKey === 0,
        isActive: deactivatedAt === null,
      }))
      .filter(({ name, email }) => hasWords(folded(`${name} ${email}`), words))
  }

  /** Returns a page of 100 rows of a company's trail, the newest first. */
  async trail(companyId: number, before: number): Promise<StoredTrailRow[]> {
    const rows = await this.#all<Omit<StoredTrailRow, 'data'> & { data: string }>(
      `SELECT number, at, actor, kind, data FROM team_trail WHERE company_id = $1 AND number < $2
       ORDER BY number DESC LIMIT 100`,
      [companyId, before],
    )
    return rows.map(({ data, ...row }) => ({ ...row, data: readColumn('data', data) }))
  }

  /** Yields the rows of a company's trail about company leave, the earliest first, in pieces. */
  async *leaveTrail(companyId: number): AsyncGenerator<StoredTrailRow[]> {
    const slice = new TimeSlice()
    for (let after = 0; ; ) {
      if (slice.isUsedUp()) await slice.renew()
      const rows = await this.#all<Omit<StoredTrailRow, 'data'> & { data: string }>(
        `SELECT number, at, actor, kind, data FROM team_trail
         WHERE company_id = $1 AND kind IN ('leave_written', 'leave_removed') AND number > $2
         ORDER BY number LIMIT ${ROWS_PER_READ}`,
        [companyId, after],
      )
      yield rows.map(({ data, ...row }) => ({ ...row, data: readColumn('data', data) }))
      if (rows.length < ROWS_PER_READ) return
      after = rows.at(-1)?.number ?? after
    }
  }

  /** Returns those of the users who are active and whom no password signs in by itself (D24.9). */
  async strongOf(users: readonly UserNumber[]): Promise<Set<UserNumber>> {
    if (users.length === 0) return new Set()
    const rows = await this.#source.read((sql) =>
      sql.all<{ user: UserNumber }>(
        `SELECT id AS "user" FROM users WHERE id IN ${usersIn(sql)} AND deactivated_at IS NULL AND (
           EXISTS (SELECT 1 FROM second_factors WHERE user_id = users.id AND confirmed_at IS NOT NULL)
           OR password_hash IS NULL AND ${HAS_KEY} = 1)`,
        [users.map(String)],
      ),
    )
    return new Set(rows.map(({ user }) => user))
  }

  /**
   * Returns members of groups by name, then number, at most `limit`: active users with an accepted membership on one of
   * some dates, which can be others in further groups. A page begins behind the last person of the one before. Whoever
   * has left the company has the name that it knew.
   */
  members(
    [groups, further]: readonly [GroupsOnDates, GroupsOnDates?],
    { companyId, after, limit }: { companyId: number; after: MemberKey | undefined; limit: number },
  ): Promise<MemberKey[]> {
    const paramsOf = ({ ids, dates }: GroupsOnDates) => [ids.map(String), dates.from, dates.to]
    return this.#source.read((sql) =>
      sql.all<MemberKey>(
        `SELECT DISTINCT users.id AS "user", ${KNOWN_NAME} AS name
         FROM memberships JOIN users ON users.id = memberships.user_id AND deactivated_at IS NULL
           LEFT JOIN former_names ON former_names.user_id = users.id AND former_names.company_id = $10
         WHERE (group_id IN (SELECT CAST(item AS BIGINT) FROM ${sql.dialect.eachOf('$1')})
               AND (until_date IS NULL OR until_date >= $2) AND from_date <= $3 AND accepted_on <= $3
             OR group_id IN (SELECT CAST(item AS BIGINT) FROM ${sql.dialect.eachOf('$4')})
               AND (until_date IS NULL OR until_date >= $5) AND from_date <= $6 AND accepted_on <= $6)
           AND (${KNOWN_NAME}, users.id) > ($7, $8)
         ORDER BY 2, 1 LIMIT $9`,
        [
          ...paramsOf(groups),
          ...paramsOf(further ?? { ...groups, ids: [] }),
          after?.name ?? '',
          after?.user ?? 0,
          limit,
          companyId,
        ],
      ),
    )
  }

  /**
   * Returns when facts of the members of groups of a company last changed in what colleagues see (`shownAt`), and in
   * anything (`changedAt`), by group. Those who have left before the date `since` count no more, nor those whose facts
   * are another company's by now: nobody sees what they do.
   */
  async changesByGroup(
    companyId: number,
    groupIds: readonly number[],
    since: LocalDate,
  ): Promise<Map<number, { shownAt: Instant; changedAt: Instant }>> {
    const rows = await this.#source.read((sql) =>
      sql.all<{ groupId: number; shownAt: Instant; changedAt: Instant }>(
        `SELECT group_id AS "groupId", MAX(shown_at) AS "shownAt", MAX(changed_at) AS "changedAt"
         FROM memberships JOIN team_facts ON team_facts.user_id = memberships.user_id
         WHERE accepted_on IS NOT NULL AND (until_date IS NULL OR until_date >= $2) AND company_id = $3
           AND group_id IN (SELECT CAST(item AS BIGINT) FROM ${sql.dialect.eachOf('$1')})
         GROUP BY group_id`,
        [groupIds.map(String), since, companyId],
      ),
    )
    return new Map(rows.map(({ groupId, ...changes }) => [groupId, changes]))
  }

  /** Returns the facts of users, by one statement, in slices. Whoever has none yet is left out. */
  async facts(users: readonly UserNumber[]): Promise<Map<UserNumber, StoredFacts>> {
    if (users.length === 0) return new Map()
    type Row = Omit<StoredFacts, 'absences' | 'requests'> & { absences: string; requests: string }
    const rows = await this.#source.read((sql) =>
      sql.all<Row>(
        `SELECT user_id AS "user", company_id AS company, version, time_zone AS "timeZone", absences, requests
         FROM team_facts WHERE user_id IN ${usersIn(sql)}`,
        [users.map(String)],
      ),
    )
    const facts = await mapInSlices(rows, ({ absences, requests, ...row }) => ({
      ...row,
      absences: readColumn('absences', absences),
      requests: readColumn('requests', requests),
    }))
    return new Map(facts.map((own) => [own.user, own]))
  }

  /** Returns the facts on which roles depend, without requests, which can be large; of whoever has some yet. */
  async presences(users: readonly UserNumber[]): Promise<Map<UserNumber, Presence>> {
    if (users.length === 0) return new Map()
    const rows = await this.#source.read((sql) =>
      sql.all<{ user: UserNumber; timeZone: ZoneName; absences: string }>(
        `SELECT user_id AS "user", time_zone AS "timeZone", absences FROM team_facts WHERE user_id IN ${usersIn(sql)}`,
        [users.map(String)],
      ),
    )
    const presences = await mapInSlices(rows, ({ absences, ...row }) => ({
      ...row,
      absences: readColumn('absences', absences),
    }))
    return new Map(presences.map((own) => [own.user, own]))
  }

  /** Returns the part of the facts of users that the board shows, by one statement. */
  async boards(users: readonly UserNumber[]): Promise<Map<UserNumber, BoardFacts>> {
    if (users.length === 0) return new Map()
    const rows = await this.#source.read((sql) =>
      sql.all<{ user: UserNumber; board: string }>(
        `SELECT user_id AS "user", board FROM team_facts WHERE user_id IN ${usersIn(sql)}`,
        [users.map(String)],
      ),
    )
    return new Map(rows.map(({ user, board }) => [user, readColumn('board', board)]))
  }

  /** Returns the exit dates of people of a company who leave. */
  async exitDates(companyId: number): Promise<Map<UserNumber, LocalDate>> {
    const rows = await this.#all<{ user: UserNumber; exitDate: LocalDate }>(
      `SELECT user_id AS "user", exit_date AS "exitDate" FROM personnel
       WHERE company_id = $1 AND exit_date IS NOT NULL`,
      [companyId],
    )
    return new Map(rows.map(({ user, exitDate }) => [user, exitDate]))
  }

  /**
   * Returns the members of a company who ask for something, with their facts (D30.2): all, or those alone who name a
   * substitute. Thousands are read in slices.
   */
  async asking(
    companyId: number,
    substitute?: UserNumber,
  ): Promise<Pick<StoredFacts, 'user' | 'timeZone' | 'requests'>[]> {
    // In JSON, a comma or a brace ends a number.
    const naming = substitute === undefined ? null : `%"substitute":${substitute}`
    const rows = await this.#all<{ user: UserNumber; timeZone: ZoneName; requests: string }>(
      `SELECT user_id AS "user", time_zone AS "timeZone", requests
       FROM team_facts WHERE company_id = $1 AND requests <> '[]'
         AND (CAST($2 AS TEXT) IS NULL OR requests LIKE $2 || ',%' OR requests LIKE $2 || '}%')`,
      [companyId, naming],
    )
    return mapInSlices(rows, ({ requests, ...row }) => ({ ...row, requests: readColumn('requests', requests) }))
  }

  /** Returns the decisions of a company about requests of users, with the users, those of a request in their order. */
  async decisionsOf(companyId: number, users: readonly UserNumber[]): Promise<(DecisionKey & { user: UserNumber })[]> {
    if (users.length === 0) return []
    return this.#source.read((sql) =>
      sql.all(
        `SELECT user_id AS "user", request_id AS request, digest, state FROM decisions
         WHERE user_id IN ${usersIn(sql)} AND company_id = $2 ORDER BY user_id, request_id, number`,
        [users.map(String), companyId],
      ),
    )
  }

  /** Returns the answers that a user has given as a substitute, with whose requests they are. */
  answersOf(substitute: UserNumber): Promise<(SubstituteAnswer & { user: UserNumber })[]> {
    return this.#all(
      `SELECT user_id AS "user", request_id AS request, substitute, from_date AS "from", to_date AS "to", answer
       FROM substitute_answers WHERE substitute = $1`,
      [substitute],
    )
  }

  /** Locks the roles and memberships of a user, so that no role ends before this transaction does (D24.7, D24.20). */
  async lockRolesOf(user: UserNumber): Promise<void> {
    await this.#source.read(async (sql) => {
      for (const table of ['team_roles', 'memberships'] as const) {
        await sql.all(`SELECT id FROM ${table} WHERE user_id = $1 ORDER BY id ${sql.dialect.locking('FOR SHARE')}`, [
          user,
        ])
      }
    })
  }

  #all<Row>(text: string, params: Parameters<SqlReader['all']>[1]): Promise<Row[]> {
    return this.#source.read((sql) => sql.all<Row>(text, params))
  }
}

/** Returns the range of the paths of a company and all below it, for `BELOW`. */
export function pathsOf(companyId: number): [string, string] {
  // 0 is the character behind the slash.
  return [`/${companyId}/`, `/${companyId}0`]
}

/** Returns a list of user numbers in a statement, from a list of texts as its only parameter. */
function usersIn(sql: SqlReader): string {
  return `(SELECT CAST(item AS BIGINT) FROM ${sql.dialect.eachOf('$1')})`
}
