import {
  contentSchemas,
  DecisionInput,
  DecisionResult,
  InboxRow,
  isRequest,
  isUuid,
  OwnRequest,
  parseContent,
  RequestContext,
  RequestToDecide,
  SubstitutionInput,
  SubstitutionRow,
  Uuid,
} from '@saldo/core'
import * as v from 'valibot'
import { ProblemError } from '../http/problem.ts'
import { json, type Route, route } from '../http/route.ts'
import type { Identity } from '../users/identification.ts'
import { described } from './collection.ts'
import type { RouteContext } from './route-context.ts'
import { UserInPath } from './team-query.ts'

const PATH = '/api/team/requests'
const RequestPath = v.object({
  user: UserInPath,
  id: Uuid,
})
const common = { tag: 'team', access: 'session' } as const

/** Requests of members, and those who decide them (D26). */
export function teamRequestRoutes({ requests, companies, random }: RouteContext): Route[] {
  const keyOf = ({ user }: Identity, params: v.InferOutput<typeof RequestPath>) => ({
    viewer: user,
    owner: params.user,
    id: params.id,
  })
  return [
    route({
      ...common,
      endpoint: `GET ${PATH}/mine`,
      summary: 'List own requests, with their states and decisions',
      responses: {
        200: { description: 'The latest dates first.', schema: v.object({ items: v.array(OwnRequest) }) },
      },
      problems: ['not_found'],
      handle: async ({ identity }) => json(200, { items: await requests.own(identity.user) }),
    }),
    route({
      ...common,
      endpoint: `POST ${PATH}/preview`,
      isRead: true,
      summary: 'Read what there is to know before asking',
      description:
        'The body is an entry of the kind `request`. Nothing is stored, and nothing of it refuses a request.',
      body: v.unknown(),
      documentedBody: contentSchemas.entries,
      responses: { 200: { description: 'What is left, who is away, and what is blocked.', schema: RequestContext } },
      problems: ['not_found', 'invalid_record'],
      handle: async ({ identity, body }) => {
        const parsed = parseContent('entries', body)
        const errors = parsed.ok ? [{ pointer: '/kind', detail: 'must be request' }] : parsed.errors
        if (!parsed.ok || !isRequest(parsed.value)) {
          throw new ProblemError('invalid_record', 'The request is not valid.', { errors })
        }
        const id = (body as { id?: unknown }).id
        return json(
          200,
          await requests.preview(
            identity.user,
            typeof id === 'string' && isUuid(id) ? id : random.uuid(),
            parsed.value,
          ),
        )
      },
    }),
    route({
      ...common,
      endpoint: 'GET /api/team/inbox',
      summary: 'List the requests that you decide',
      query: v.object({ cursor: described(v.string(), 'The `cursor` of the previous page.') }),
      responses: {
        200: {
          description: 'At most 100, the oldest first.',
          schema: v.object({ items: v.array(InboxRow), cursor: v.nullable(v.string()) }),
        },
      },
      problems: ['not_found', 'invalid_cursor'],
      handle: async ({ identity, query }) => json(200, await requests.inbox(identity.user, query.cursor)),
    }),
    route({
      ...common,
      endpoint: 'GET /api/team/substitutions',
      summary: 'List the requests that name you as the substitute',
      responses: { 200: { description: 'Dates only.', schema: v.object({ items: v.array(SubstitutionRow) }) } },
      problems: ['not_found'],
      handle: async ({ identity }) => json(200, { items: await requests.substitutions(identity.user) }),
    }),
    route({
      ...common,
      endpoint: `GET ${PATH}/{user}/{id}`,
      summary: 'Read a request that waits, with all that its decision needs',
      description: 'One that was decided is a conflict, which names the decision.',
      params: RequestPath,
      responses: { 200: { description: 'The request.', schema: RequestToDecide } },
      problems: ['not_found', 'conflict'],
      handle: async ({ identity, params }) => json(200, await requests.open(keyOf(identity, params))),
    }),
    route({
      ...common,
      endpoint: `POST ${PATH}/{user}/{id}/decision`,
      summary: 'Approve or decline a request',
      description:
        'An approval records what was asked for. The first decision of a content stands; repeating an own one changes ' +
        'nothing.',
      params: RequestPath,
      body: DecisionInput,
      responses: { 200: { description: 'The state of the request.', schema: DecisionResult } },
      problems: ['not_found', 'conflict', 'precondition_failed'],
      handle: async ({ identity, params, body }) => {
        const { state, rows: decisions, isNew, news } = await requests.decide(keyOf(identity, params), body)
        if (isNew) companies.announcements.tell(news.company, params.user, [news.sentence])
        return json(200, { state, decisions })
      },
    }),
    route({
      ...common,
      endpoint: `POST ${PATH}/{user}/{id}/substitution`,
      summary: 'Answer whether you can stand in',
      description:
        'It is for the dates of the request, is shown to the person and to those who decide, and decides nothing.',
      params: RequestPath,
      body: SubstitutionInput,
      responses: { 204: { description: 'Answered.' } },
      problems: ['not_found', 'precondition_failed'],
      handle: async ({ identity, params, body }) => {
        await requests.answer(keyOf(identity, params), body)
        return { status: 204 }
      },
    }),
  ]
}
