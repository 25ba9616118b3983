import { givenText, ItemResult, TEAM_PAGE, type UserNumber, UserNumberValue } from '@saldo/core'
import * as v from 'valibot'
import { ProblemError } from '../http/problem.ts'
import type { MemberKey } from '../store/team/team-store.ts'
import type { TeamCallers, TeamViewer } from '../team/access.ts'
import { described, numberText } from './collection.ts'
import type { RouteContext } from './route-context.ts'

/** The query of a route that admins use too: the company, where there are several. */
export const companyField = {
  company: described(
    numberText(1, Number.MAX_SAFE_INTEGER),
    'For admins: the company, if the service has several. Their own or the first one without it.',
  ),
}
export const InCompany = v.object(companyField)

/** The number of a group, membership or role in a path. */
export const TeamId = v.object({ id: numberText(1, Number.MAX_SAFE_INTEGER) })

/** The number of a user in a path. */
export const UserInPath = v.pipe(
  numberText(0, Number.MAX_SAFE_INTEGER, 'must be the number of a user'),
  v.transform((number) => number as UserNumber),
)

/** The body of a request for many. Each item is checked on its own, so that one that is not valid stops no other. */
export const Items = v.object({
  items: v.pipe(v.array(v.unknown()), v.maxLength(TEAM_PAGE, `must have at most ${TEAM_PAGE} items`)),
})

export const dryRunField = {
  dry_run: v.optional(
    v.pipe(v.boolean(), v.metadata({ description: 'True to learn the outcomes and change nothing.' })),
    false,
  ),
}

/** Returns the documented body of a request for many. */
export function bodyOfItems<S extends v.GenericSchema>(schema: S) {
  return v.object({ items: v.pipe(v.array(schema), v.maxLength(TEAM_PAGE)) })
}

/** The response to a request for many. */
export const itemResults = {
  200: { description: 'The outcome of each item, in their order.', schema: v.object({ items: v.array(ItemResult) }) },
}

/** Returns the caller within the company. Throws 404 without one, and 403 without the role. */
export function requireTeam(
  { companies }: Pick<RouteContext, 'companies'>,
  { user }: { user: UserNumber },
  callers: TeamCallers,
  { company }: { company?: number | undefined } = {},
): Promise<TeamViewer> {
  return companies.viewer(user, callers, company)
}

/** Returns the cursor of a page that ends with a member. */
export function memberCursor({ name, user }: MemberKey): string {
  return Buffer.from(JSON.stringify([name, user])).toString('base64url')
}

/** Long enough for every name and address. */
const CursorKey = v.tuple([givenText(0, 1_000), UserNumberValue])

/** Reads a cursor of `memberCursor`. Throws `invalid_cursor`. */
export function memberOf(cursor: string): MemberKey {
  const text = Buffer.from(cursor, 'base64url').toString()
  const key = v.safeParse(v.pipe(v.string(), v.parseJson(), CursorKey), text)
  if (!key.success) throw new ProblemError('invalid_cursor', 'This cursor is not valid. Begin with the first page.')
  const [name, user] = key.output
  return { name, user }
}
