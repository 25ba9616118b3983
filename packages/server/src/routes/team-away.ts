import { hash } from 'node:crypto'
import { AwayPage, DateText, datesOfFacts, daysBetween, GroupId, MAX_AWAY_DAYS, utcDate } from '@saldo/core'
import * as v from 'valibot'
import { isFresh } from '../http/preconditions.ts'
import { ProblemError } from '../http/problem.ts'
import { json, type Route, route } from '../http/route.ts'
import { readAway } from '../team/away.ts'
import type { RouteContext } from './route-context.ts'
import { memberCursor, memberOf } from './team-query.ts'

const GroupText = v.pipe(
  v.string(),
  v.regex(/^[1-9]\d{0,15}$/, 'must be the number of a group'),
  v.transform(Number),
  GroupId,
)

const Query = v.pipe(
  v.object({
    from: DateText,
    to: DateText,
    group: v.optional(GroupText),
    cursor: v.optional(v.string()),
  }),
  v.forward(
    v.check(
      ({ from, to }) => from <= to && daysBetween(from, to) < MAX_AWAY_DAYS,
      `must not be before from, and at most ${MAX_AWAY_DAYS - 1} days after it`,
    ),
    ['to'],
  ),
)

/** The page of who is away, as the caller sees it (D25). */
export function teamAwayRoutes({ team, clock }: RouteContext): Route[] {
  return [
    route({
      tag: 'team',
      access: 'away',
      endpoint: 'GET /api/team/away',
      summary: 'Read who is away',
      description:
        'Members of the groups whose members see each other, and of those below a role, by name. A person has the ' +
        'dates on which the caller sees them away: `away`, `part` of the day, or `asked` for. Kinds are there for ' +
        'those who see them. The dates are from 396 days back to 426 ahead.',
      query: Query,
      responses: {
        200: { description: 'A page of people.', schema: AwayPage, headers: ['ETag'] },
        304: { description: 'The page has not changed.' },
      },
      problems: ['not_found', 'invalid_cursor'],
      handle: async ({ identity, query: { from, to, group, cursor }, headers }) => {
        const known = datesOfFacts(utcDate(clock.now()))
        if (from < known.from || to > known.to) {
          const errors = [{ pointer: '/from', detail: `must be between ${known.from} and ${known.to}, as to` }]
          throw new ProblemError('invalid_request', 'Of other dates it is not known who is away.', { errors })
        }
        const after = cursor === undefined ? undefined : memberOf(cursor)
        const read = await readAway(team, identity.user, { from, to, groupId: group, after }, clock.now())
        if (read.outcome !== 'read') throw new ProblemError('not_found', refusals[read.outcome])
        const body = { ...read.page, cursor: read.last ? memberCursor(read.last) : null }
        // Of the bytes that the caller sees: a version would tell of what is hidden (D25.6).
        const etag = `"${hash('sha256', JSON.stringify(body), 'base64url')}"`
        const ownHeaders = { etag: `W/${etag}` }
        return isFresh(headers, etag) ? { status: 304, headers: ownHeaders } : json(200, body, ownHeaders)
      },
    }),
  ]
}

const refusals = {
  no_company: 'There is no company for you here.',
  unknown_group: 'You do not see this group.',
}
