import type { TeamRole, TeamSummary } from '@saldo/core'

const teamPages = ['away', 'requests', 'months', 'inbox', 'board', 'payroll', 'company'] as const
/** A page of the company. */
export type TeamPage = (typeof teamPages)[number]

/** Returns the page of a name in an address, also one that the user does not have. */
export function pageNamed(name: string | undefined): TeamPage | undefined {
  return teamPages.find((each) => each === name)
}

/** Returns the pages that a user has: by membership, past or present, by their roles in force, and as an admin. */
export function pagesOf({
  is_member,
  left_on,
  is_admin,
  roles,
}: Pick<TeamSummary, 'is_member' | 'left_on' | 'is_admin' | 'roles'>): TeamPage[] {
  const hasRole = (...some: TeamRole[]) => roles.some(({ role }) => some.includes(role))
  const decides = hasRole('lead', 'deputy', 'hr')
  return [
    ...(is_member || decides ? (['away'] as const) : []),
    ...(is_member ? (['requests'] as const) : []),
    ...(is_member || left_on !== null ? (['months'] as const) : []),
    ...(decides ? (['inbox'] as const) : []),
    ...(hasRole('lead', 'hr') ? (['board'] as const) : []),
    ...(hasRole('hr', 'payroll') ? (['payroll'] as const) : []),
    ...(is_admin || hasRole('hr', 'auditor') ? (['company'] as const) : []),
  ]
}

/** A part of the page of the company. */
export type CompanyPart = 'people' | 'groups' | 'roles' | 'policy' | 'blocks' | 'leave' | 'trail'

/** Returns the parts of the company that a user sees: the works council reads rules and trail, and admins no trail. */
export function partsOf({ is_admin, roles }: Pick<TeamSummary, 'is_admin' | 'roles'>): CompanyPart[] {
  const [isHr, isAuditor] = (['hr', 'auditor'] as const).map((name) => roles.some(({ role }) => role === name))
  return [
    ...(is_admin || isHr ? (['people', 'groups', 'roles'] as const) : []),
    'policy',
    'blocks',
    ...(isHr ? (['leave'] as const) : []),
    ...(isHr || isAuditor ? (['trail'] as const) : []),
  ]
}
