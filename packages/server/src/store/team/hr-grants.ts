import {
  addDays,
  companyOf,
  epochMs,
  type Instant,
  LAST_DATE,
  type LocalDate,
  type UserNumber,
  utcDate,
} from '@saldo/core'
import type { SqlWriter } from '../sql.ts'
import type { StoredGrant } from './team-store.ts'
import { TeamWriter } from './team-writer.ts'

/** Returns the active users with a confirmed role of HR on a date: they confirm roles, and hear of changes (D24.4). */
export function hrsOn(grants: readonly StoredGrant[], date: LocalDate): UserNumber[] {
  const onDate = activeHrGrants(grants).filter(({ from, until }) => from <= date && (until === null || date <= until))
  return [...new Set(onDate.map(({ user }) => user))]
}

/** True if a company would be without HR by a change of its roles, or earlier than before it (D24.20). */
export function leavesNoHr(before: readonly StoredGrant[], after: readonly StoredGrant[], today: LocalDate): boolean {
  const [knownGap, gap] = [firstDateWithoutHr(before, today), firstDateWithoutHr(after, today)]
  return gap !== null && (knownGap === null || gap < knownGap)
}

/** True if a company would be without HR once a user is erased (D24.20). Locks the companies of their roles. */
export async function erasingLeavesNoHr(sql: SqlWriter, user: UserNumber, at: Instant): Promise<boolean> {
  const writer = new TeamWriter(sql, at)
  const companies = new Set((await writer.store.rolesOf([user])).map(({ path }) => companyOf(path)))
  for (const company of [...companies].toSorted((a, b) => a - b)) {
    await writer.lock(company)
    const grants = await writer.store.grants(company)
    // The account may be deactivated for now.
    const before = grants.map((grant) => (grant.user === user ? { ...grant, isActive: true } : grant))
    const after = grants.filter((grant) => grant.user !== user)
    if (leavesNoHr(before, after, utcDate(epochMs(at)))) return true
  }
  return false
}

/** Returns the first date from `from` on on which nobody is HR, by the same measure; null if somebody always is. */
function firstDateWithoutHr(grants: readonly StoredGrant[], from: LocalDate): LocalDate | null {
  let date = from
  for (const hr of activeHrGrants(grants).toSorted((a, b) => (a.from < b.from ? -1 : 1))) {
    const until = hr.until ?? LAST_DATE
    if (hr.from > date) return date
    if (until === LAST_DATE) return null
    if (until >= date) date = addDays(until, 1)
  }
  return date
}

function activeHrGrants(grants: readonly StoredGrant[]): StoredGrant[] {
  return grants.filter(({ role, isConfirmed, isActive }) => role === 'hr' && isConfirmed && isActive)
}
