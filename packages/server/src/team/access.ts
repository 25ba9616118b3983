import type { EpochMs, TeamRole, UserNumber } from '@saldo/core'
import type { OwnCompany, StoredGrant, TeamStore } from '../store/team/team-store.ts'
import { rolesInForce } from './roles-in-force.ts'

/** The user has no company, or lacks the role that a request needs. Nothing of a write was kept. */
export class TeamAccessError extends Error {
  readonly reason: 'no_company' | 'no_role'

  constructor(reason: 'no_company' | 'no_role') {
    super(reason === 'no_company' ? 'the user has no company' : 'the user has not got the role')
    this.name = 'TeamAccessError'
    this.reason = reason
  }
}

/** A user as their company sees them at a moment. */
export interface TeamViewer extends OwnCompany {
  user: UserNumber
  isAdmin: boolean
  /** The roles in force. */
  roles: StoredGrant[]
}

/** The callers of a route of the team: whom the company concerns, all who belong to it, or those with these roles. */
export type TeamCallers = 'concerned' | 'all' | readonly (TeamRole | 'admin')[]

/** Admins and HR manage groups, people and roles. */
export const MANAGERS = ['admin', 'hr'] as const

/**
 * Returns the user within their company. Throws `TeamAccessError`: `no_company` for anybody without one, but admins,
 * who get into the one they name, or the first one; `no_role` without a role that is in force now (D24.7).
 */
export async function teamViewerOf(
  store: TeamStore,
  user: UserNumber,
  { callers, company, nowMs }: { callers: TeamCallers; company?: number | undefined; nowMs: EpochMs },
): Promise<TeamViewer> {
  const isAdmin = await store.isAdmin(user)
  const isForAll = callers === 'concerned' || callers === 'all'
  const isAdminsWay = isAdmin && (isForAll || callers.includes('admin'))
  // Admins manage the company that the summary names.
  const isInvitedEnough = callers === 'concerned' || isAdminsWay
  const own = await (isInvitedEnough ? store.companyConcerning(user, nowMs) : store.companyOf(user, nowMs))
  const isOwn = own !== undefined && (company ?? own.companyId) === own.companyId
  const others = isAdminsWay && !isOwn ? await store.companies() : []
  const found = isOwn ? own : company === undefined ? others[0] : others.find(({ companyId }) => companyId === company)
  if (!found) throw new TeamAccessError('no_company')
  const inForce = await rolesInForce(store, found.companyId, nowMs)
  const roles = inForce.filter((grant) => grant.user === user)
  const mayAct = isForAll || isAdminsWay || roles.some(({ role }) => callers.includes(role))
  if (!mayAct) throw new TeamAccessError('no_role')
  return { ...found, user, isAdmin, roles }
}

/**
 * Checks in a transaction that a caller still has the role for what a request began; it ends after the transaction then
 * (D24.7). Throws as `teamViewerOf` does.
 */
export async function requireStill(
  store: TeamStore,
  { user, companyId }: Pick<TeamViewer, 'user' | 'companyId'>,
  { callers, nowMs }: { callers: TeamCallers; nowMs: EpochMs },
): Promise<void> {
  await store.lockRolesOf(user)
  await teamViewerOf(store, user, { callers, company: companyId, nowMs })
}
