import { instantOf } from '@saldo/core'
import * as v from 'valibot'
import { ProblemError } from '../http/problem.ts'
import { json, type Route, route } from '../http/route.ts'
import { Session } from '../store/users/users.ts'
import type { Services } from './services.ts'

const common = { tag: 'users', access: 'session' } as const
const Sessions = v.object({ items: v.array(v.object({ ...Session.entries, current: v.boolean() })) })
const IdParam = v.object({
  id: v.pipe(v.string(), v.regex(/^\d{1,15}$/, 'must be the id of a session'), v.transform(Number)),
})

/** The sessions of the signed-in user (D8). */
export function sessionRoutes({ users, clock }: Services): Route[] {
  return [
    route({
      ...common,
      endpoint: 'GET /api/me/sessions',
      summary: 'List sessions',
      answers: { 200: { description: 'The sessions, newest first.', schema: Sessions } },
      handle: async ({ identity: { user, by } }) => {
        const sessions = await users.sessions(user, instantOf(clock.now()))
        return json(200, { items: sessions.map((session) => ({ ...session, current: session.id === by.id })) })
      },
    }),
    route({
      ...common,
      endpoint: 'DELETE /api/me/sessions/{id}',
      summary: 'End a session',
      params: IdParam,
      answers: { 204: { description: 'Ended.' } },
      problems: ['not_found'],
      handle: async ({ identity, params }) => {
        if (await users.endSession(identity.user, params.id)) return { status: 204 }
        throw new ProblemError('not_found', 'This session does not exist.')
      },
    }),
  ]
}
