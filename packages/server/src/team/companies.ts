import {
  addDays,
  type BlockedPeriod,
  type CompanyPolicy,
  companyOf,
  dateInZone,
  defaultPolicy,
  instantOf,
  jsonEqual,
  type LocalDate,
  type PolicyVersion,
  type UserNumber,
} from '@saldo/core'
import { DAY_SECONDS, Throttle } from '../http/throttle.ts'
import type { SqlReader } from '../store/sql.ts'
import { hrsOn } from '../store/team/hr-grants.ts'
import { inTransaction, type OwnCompany, TeamStore } from '../store/team/team-store.ts'
import { TeamWriter } from '../store/team/team-writer.ts'
import type { AuthOptions } from '../users/auth-options.ts'
import { requireStill, TeamAccessError, type TeamCallers, type TeamViewer, teamViewerOf } from './access.ts'
import { TeamAnnouncements, type TeamNews } from './announcements.ts'
import { rolesInForce } from './roles-in-force.ts'

/** The outcome of a write, with what is announced once it is stored. */
export interface Written<T> {
  result: T
  news?: readonly TeamNews[]
}

type FoundRefusal = 'no_user' | 'unconfirmed' | 'link_shown' | 'name_taken' | 'other_company'

/** A dry run has ended; its transaction is rolled back. */
class DryRunEnd extends Error {
  readonly result: unknown

  constructor(result: unknown) {
    super('a dry run has ended')
    this.result = result
  }
}

/** The most rows that somebody adds to the trail of a company in a day: setting a large one up takes some 10,000. */
const TRAIL_ROWS_PER_DAY = 20_000

/** Companies: founding, access, policy and blocked periods. */
export class Companies {
  readonly store: TeamStore
  readonly announcements: TeamAnnouncements
  readonly #options: AuthOptions
  readonly #trailRows = new Throttle(TRAIL_ROWS_PER_DAY, DAY_SECONDS)

  constructor(options: AuthOptions) {
    this.#options = options
    this.store = new TeamStore(options.driver)
    this.announcements = new TeamAnnouncements(options, this.store)
  }

  nowMs() {
    return this.#options.clock.now()
  }

  /**
   * True if an address is nobody's in a company until it is confirmed (D24.23). Without mail, nobody could confirm it.
   */
  get asksForProof(): boolean {
    return this.#options.mailer?.isOn === true
  }

  /** True if what a company offers to the address of a user is theirs: nobody else reads or answers it (D24.23). */
  async isProven(user: UserNumber, store = this.store): Promise<boolean> {
    return !this.asksForProof || (await store.names([user], null)).get(user)?.isConfirmed === true
  }

  /** Returns the company of which a user reads something, as a member, with a role, or by an offer. */
  async companyReadBy(user: UserNumber): Promise<OwnCompany | undefined> {
    const isProven = await this.isProven(user)
    return isProven ? this.store.companyConcerning(user, this.nowMs()) : this.store.companyOf(user, this.nowMs())
  }

  /** The present date of the service, in UTC. */
  today(): LocalDate {
    return dateInZone(this.nowMs(), 'UTC')
  }

  /** Returns a user within their company; see `teamViewerOf`. */
  viewer(user: UserNumber, callers: TeamCallers, company?: number): Promise<TeamViewer> {
    return this.#options.driver.read((sql) =>
      teamViewerOf(new TeamStore(inTransaction(sql)), user, { callers, company, nowMs: this.nowMs() }),
    )
  }

  /** Returns a check for transactions of others that a caller still has the role; see `requireStill`. */
  stillMay(viewer: Pick<TeamViewer, 'user' | 'companyId'>, callers: TeamCallers): (sql: SqlReader) => Promise<void> {
    return (sql) => requireStill(new TeamStore(inTransaction(sql)), viewer, { callers, nowMs: this.nowMs() })
  }

  /** True if a role of HR of a user in a company is in force. */
  async isHr(user: UserNumber, companyId: number): Promise<boolean> {
    const inForce = await rolesInForce(this.store, companyId, this.nowMs())
    return inForce.some((grant) => grant.user === user && grant.role === 'hr')
  }

  /**
   * Changes a company. The caller's role is looked up again within the transaction, which has locked the company; a dry
   * run keeps nothing. Throws `TeamAccessError` as `viewer` does, and 429 after too many acts, since none goes without
   * a row in the trail.
   */
  async write<T>(
    { user, companyId }: Pick<TeamViewer, 'user' | 'companyId'>,
    { callers, isDryRun = false }: { callers: TeamCallers; isDryRun?: boolean },
    body: (writer: TeamWriter, viewer: TeamViewer) => Promise<Written<T>>,
  ): Promise<T> {
    const nowMs = this.nowMs()
    await this.#trailRows.take(user, 0)
    try {
      const { viewer, written, notes } = await this.#options.driver.write(async (sql) => {
        const writer = new TeamWriter(sql, instantOf(nowMs))
        await writer.lock(companyId)
        const viewer = await teamViewerOf(writer.store, user, { callers, company: companyId, nowMs })
        const written = await body(writer, viewer)
        if (isDryRun) throw new DryRunEnd(written.result)
        return { viewer, written, notes: writer.notes }
      })
      await this.#trailRows.spend(user, notes)
      this.announcements.later(viewer, written.news ?? [])
      return written.result
    } catch (error) {
      if (error instanceof DryRunEnd) return error.result as T
      throw error
    }
  }

  /** Changes a membership of a user, whose company it locks; `not_found` if it is not theirs, or not yet (D24.23). */
  async writeOwn<T>(
    user: UserNumber,
    membershipId: number,
    body: (
      writer: TeamWriter,
      membership: { companyId: number; groupName: string; acceptedOn: LocalDate | null },
    ) => Promise<Written<T>>,
  ): Promise<T | 'not_found'> {
    const at = instantOf(this.nowMs())
    const done = await this.#options.driver.write(async (sql) => {
      const writer = new TeamWriter(sql, at)
      const find = async () => (await writer.store.memberships([user])).find(({ id }) => id === membershipId)
      const found = await find()
      if (!found) return undefined
      const companyId = companyOf(found.path)
      await writer.lock(companyId)
      // It may have changed while this waited for the company.
      const membership = await find()
      if (!membership) return undefined
      if (membership.acceptedOn === null && !(await this.isProven(user, writer.store))) return undefined
      const groups = await writer.store.groups(companyId)
      const nameOf = (id: number) => groups.find((group) => group.id === id)?.name ?? ''
      const { groupId, acceptedOn } = membership
      const written = await body(writer, { companyId, groupName: nameOf(groupId), acceptedOn })
      return { company: { companyId, companyName: nameOf(companyId) }, written }
    })
    if (done === undefined) return 'not_found'
    this.announcements.later(done.company, done.written.news ?? [])
    return done.written.result
  }

  /**
   * Founds a company with its first HR, whom nobody has to confirm (D24.4) and who gets a mail (D24.5). Throws
   * `TeamAccessError` for no admin.
   */
  async found(
    by: UserNumber,
    { name, hr }: { name: string; hr: string },
  ): Promise<{ outcome: 'founded'; id: number } | { outcome: FoundRefusal }> {
    type Outcome = { outcome: 'founded'; id: number; user: UserNumber; path: string } | { outcome: FoundRefusal }
    const nowMs = this.nowMs()
    const founded = await this.#options.driver.write(async (sql): Promise<Outcome> => {
      const writer = new TeamWriter(sql, instantOf(nowMs))
      if (!(await writer.store.isAdmin(by))) throw new TeamAccessError('no_role')
      const user = await writer.lockUserByEmail(hr)
      if (user === undefined || user === 'inactive') return { outcome: 'no_user' }
      if (this.asksForProof && !(await writer.store.names([user], null)).get(user)?.isConfirmed) {
        return { outcome: 'unconfirmed' }
      }
      if (await writer.hasShownLink(user)) return { outcome: 'link_shown' }
      if ((await writer.store.companies()).some(({ companyName }) => companyName === name)) {
        return { outcome: 'name_taken' }
      }
      if (await writer.store.companyConcerning(user, nowMs)) return { outcome: 'other_company' }
      const { id, path } = await writer.addGroup({
        parent: null,
        name,
        seesMembers: true,
        leastPresent: null,
        defaults: null,
      })
      const from = this.today()
      const role = { user, role: 'hr', from, until: null } as const
      await writer.addRole({ ...role, groupId: id, standsInFor: null, givenBy: by, isConfirmed: true })
      await writer.addPolicy(id, { number: 1, from, policy: defaultPolicy }, by)
      await writer.note(id, by, 'company_founded', { group: name })
      await writer.note(id, by, 'role_given', { ...role, group: name })
      return { outcome: 'founded', id, user, path }
    })
    if (founded.outcome !== 'founded') return founded
    const { id, user, path } = founded
    const news = { what: 'role_given', user, role: 'hr', group: name, path } as const
    this.announcements.later({ companyId: id, companyName: name }, [news])
    return { outcome: 'founded', id }
  }

  /**
   * Replaces all HR of a company, for an operator (D24.4). Announced to all. Nobody could confirm the role again that
   * rests once a shown link is used (D24.17).
   */
  async replaceHr(company: OwnCompany, user: UserNumber): Promise<'replaced' | 'other_company' | 'link_shown'> {
    const nowMs = this.nowMs()
    const [today, { companyId, companyName }] = [this.today(), company]
    const outcome = await this.#options.driver.write(async (sql) => {
      const writer = new TeamWriter(sql, instantOf(nowMs))
      await writer.lock(companyId)
      await writer.lockUser(user)
      const own = await writer.store.companyConcerning(user, nowMs)
      if (own && own.companyId !== companyId) return 'other_company' as const
      if (await writer.hasShownLink(user)) return 'link_shown' as const
      const grants = await writer.store.grants(companyId)
      const hrs = grants.filter(({ role, until }) => role === 'hr' && (until === null || until >= today))
      for (const grant of hrs) {
        const until = addDays(today, -1)
        await writer.endRole(grant.id, until)
        await writer.note(companyId, null, 'role_ended', { user: grant.user, role: 'hr', group: companyName, until })
      }
      const role = { user, role: 'hr', from: today, until: null } as const
      const added = { ...role, groupId: companyId, standsInFor: null, givenBy: null, isConfirmed: true }
      const same = grants.find((grant) => grant.user === user && grant.role === 'hr' && grant.from === today)
      if (same) await writer.giveRoleAnew(same.id, added)
      else await writer.addRole(added)
      await writer.note(companyId, null, 'hr_replaced', { ...role, group: companyName })
      return 'replaced' as const
    })
    if (outcome === 'replaced') {
      const news = { what: 'hr_replaced', user, role: 'hr', group: companyName, path: `/${companyId}/` } as const
      await this.announcements.send(company, [news])
    }
    return outcome
  }

  /** Returns the version of the policy in force, and the one that follows if there is one. */
  async policies(companyId: number): Promise<{ policy: PolicyVersion; next: PolicyVersion | null }> {
    const versions = await this.store.policies(companyId)
    const today = this.today()
    const policy = versions.findLast(({ from }) => from <= today)
    if (!policy) throw new Error('a company has a policy from its first day on')
    return { policy, next: versions.findLast(({ from }) => from > today) ?? null }
  }

  /**
   * Changes the policy from the next day on, and announces it to all members (D25.9). `isCurrent` says whether the
   * last version is the one that the caller has read; `undefined` if it is not. The same policy again changes nothing.
   * `countMail` counts the mails of another one, and throws after too many.
   */
  changePolicy(
    viewer: TeamViewer,
    policy: CompanyPolicy,
    {
      isCurrent,
      countMail,
    }: { isCurrent: (last: PolicyVersion | undefined) => boolean; countMail: () => Promise<void> },
  ): Promise<PolicyVersion | undefined> {
    return this.write(viewer, { callers: ['hr'] }, async (writer, { companyId, user }) => {
      const versions = await writer.store.policies(companyId)
      const last = versions.at(-1)
      if (!isCurrent(last)) return { result: undefined }
      if (last && jsonEqual(last.policy, policy)) return { result: last }
      await countMail()
      const from = addDays(this.today(), 1)
      const version = { number: versions.length + 1, from, policy }
      await writer.addPolicy(companyId, version, user)
      // Each member's rules follow by a job of theirs, long before the next day: all at once would hold up others.
      await writer.enqueueFacts(companyId)
      await writer.note(companyId, user, 'policy_changed', { from })
      return { result: version, news: [{ what: 'policy_changed', from, path: `/${companyId}/` }] }
    })
  }

  /** Replaces the blocked periods; `undefined` if a group is not of the company. */
  putBlocks(viewer: TeamViewer, blocks: readonly BlockedPeriod[]): Promise<BlockedPeriod[] | undefined> {
    return this.write(viewer, { callers: ['hr'] }, async (writer, { companyId }) => {
      const groups = new Set((await writer.store.groups(companyId)).map(({ id }) => id))
      if (!blocks.every(({ group_id }) => groups.has(group_id))) return { result: undefined }
      await writer.replaceBlocks(companyId, blocks)
      return { result: [...blocks] }
    })
  }

  /** Returns the users who are HR today, by a confirmed role. */
  async hrs(companyId: number): Promise<UserNumber[]> {
    return hrsOn(await this.store.grants(companyId), this.today())
  }
}
