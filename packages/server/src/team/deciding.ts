import {
  type CompanyPolicy,
  companyOf,
  countedHrs,
  coversGroup,
  type Decider,
  decidersOf,
  type EpochMs,
  isMemberOn,
  type LocalDate,
  type Membership,
  membershipsOrLast,
  type PolicyVersion,
  policyOn,
  type TeamRole,
  type UserNumber,
  utcDate,
} from '@saldo/core'
import type { StoredGrant, TeamStore } from '../store/team/team-store.ts'
import { rolesInForce } from './roles-in-force.ts'

/** The part of a company on which it depends who decides requests. */
export class Deciding {
  readonly companyId: number
  /** Those of the members that were read. */
  readonly memberships: readonly Membership[]
  /** The roles that were read. */
  readonly grants: readonly StoredGrant[]
  readonly #policies: readonly PolicyVersion[]
  readonly #hasOneHr: boolean
  /** A search of all memberships for each member would take minutes in a large company. */
  readonly #membershipsByUser: ReadonlyMap<UserNumber, readonly Membership[]>

  private constructor(
    companyId: number,
    of: Pick<Deciding, 'memberships' | 'grants'>,
    { policies, hasOneHr }: { policies: PolicyVersion[]; hasOneHr: boolean },
  ) {
    this.companyId = companyId
    this.memberships = of.memberships.filter(({ path }) => companyOf(path) === companyId)
    this.#membershipsByUser = Map.groupBy(this.memberships, ({ user }) => user)
    this.grants = of.grants
    this.#policies = policies
    this.#hasOneHr = hasOneHr
  }

  /** Reads it for some members, or for all; with the roles in force, or those that members know of. */
  static async read(
    store: TeamStore,
    companyId: number,
    nowMs: EpochMs,
    members?: readonly UserNumber[],
    readRoles = rolesInForce,
  ): Promise<Deciding> {
    const memberships = await store.memberships(members ?? companyId)
    const grants = await readRoles(store, companyId, nowMs)
    const hrs = countedHrs(await store.grants(companyId), utcDate(nowMs))
    const rules = { policies: await store.policies(companyId), hasOneHr: hrs.length <= 1 }
    return new Deciding(companyId, { memberships, grants }, rules)
  }

  /** Returns the policy of a date; with more than one HR, of before too, nobody decides for themself (D26.7). */
  policyOn(date: LocalDate): CompanyPolicy {
    const policy = policyOn(this.#policies, date)
    return this.#hasOneHr ? policy : { ...policy, sole_hr_decides: false }
  }

  /** Returns the memberships of a user, accepted or not, ended or not. */
  membershipsOf(user: UserNumber): readonly Membership[] {
    return this.#membershipsByUser.get(user) ?? []
  }

  /** Returns the accepted memberships of a user on a date. */
  membershipsOn(user: UserNumber, date: LocalDate): Membership[] {
    return this.membershipsOf(user).filter((membership) => isMemberOn(membership, date))
  }

  /** Returns the accepted memberships of a user on a date, or the last ones while they are to be settled (D28.6). */
  membershipsOrLast(user: UserNumber, date: LocalDate): Membership[] {
    return membershipsOrLast(this.membershipsOf(user), date)
  }

  /** Returns who decides the requests of a user whose present date is `today`, each once (D26.7). */
  decidersOf(user: UserNumber, today: LocalDate, stage: 1 | 2, grants = this.grants): Decider[] {
    const policy = this.policyOn(today)
    const deciders = this.membershipsOrLast(user, today).flatMap(({ path }) =>
      decidersOf({ user, path }, grants, policy, stage),
    )
    return [...new Map(deciders.map((decider) => [decider.user, decider])).values()]
  }

  /** True if a user has a role in force that covers a group of some paths. */
  hasRole(user: UserNumber, role: TeamRole, paths: readonly string[]): boolean {
    return this.grants.some((grant) => {
      return grant.user === user && grant.role === role && paths.some((path) => coversGroup(grant, path))
    })
  }

  /** True if somebody is the only HR and the policy lets them decide for themselves (D26.7). */
  decidesForSelf(user: UserNumber, date: LocalDate): boolean {
    const hasRole = this.grants.some((one) => one.role === 'hr' && one.user === user)
    return this.policyOn(date).sole_hr_decides && hasRole
  }

  /** Returns the stages in which a user decides requests of another one, or of their own where the policy says so. */
  stagesOf(decider: UserNumber, owner: UserNumber, today: LocalDate): { stages: (1 | 2)[]; isOwn: boolean } {
    const found = ([1, 2] as const).flatMap((stage) =>
      this.decidersOf(owner, today, stage)
        .filter(({ user }) => user === decider)
        .map(({ isOwn }) => ({ stage, isOwn })),
    )
    return { stages: found.map(({ stage }) => stage), isOwn: found.some(({ isOwn }) => isOwn) }
  }
}
