import { epochMs, InstantText, SessionRow, TokenRow, tokenScopes, Uuid } from '@saldo/core'
import * as v from 'valibot'
import { ProblemError } from '../http/problem.ts'
import { json, type Route, route } from '../http/route.ts'
import { GivenName } from '../users/credentials.ts'
import { sessionLimits } from '../users/web-sessions.ts'
import { numberText } from './collection.ts'
import { PasswordOrPasskey, requireProof, requireRoomFor, takeOwnMail } from './guards.ts'
import type { RouteContext } from './route-context.ts'

const common = { tag: 'users', access: 'session' } as const
const Sessions = v.object({ items: v.array(SessionRow) })
const SessionId = v.object({
  id: numberText(0, Number.MAX_SAFE_INTEGER, 'must be the id of a session'),
})
const NewToken = v.object({ ...TokenRow.entries, token: v.string() })

export function sessionRoutes(services: RouteContext): Route[] {
  const { tokens, userAccounts, users, clock, log, nameOf } = services
  return [
    route({
      ...common,
      endpoint: 'GET /api/me/sessions',
      summary: 'List sessions',
      responses: { 200: { description: 'The sessions, newest first.', schema: Sessions } },
      handle: async ({ identity: { user, by } }) => {
        const sessions = await users.sessions(user, sessionLimits(clock.now()))
        return json(200, { items: sessions.map((session) => ({ ...session, current: session.id === by.id })) })
      },
    }),
    route({
      ...common,
      endpoint: 'DELETE /api/me/sessions/{id}',
      endsAccess: true,
      summary: 'End a session',
      params: SessionId,
      responses: { 204: { description: 'Ended.' } },
      problems: ['not_found'],
      handle: async ({ identity, params }) => {
        if (await users.endSession(identity.user, params.id)) return { status: 204 }
        throw new ProblemError('not_found', 'This session does not exist.')
      },
    }),
    route({
      ...common,
      endpoint: 'GET /api/me/tokens',
      summary: 'List tokens',
      responses: {
        200: { description: 'The tokens, newest first.', schema: v.object({ items: v.array(TokenRow) }) },
      },
      handle: async ({ identity }) => json(200, { items: await users.tokens(identity.user) }),
    }),
    route({
      ...common,
      endpoint: 'POST /api/me/tokens',
      summary: 'Create a token for a program',
      description:
        'Needs `password`, or the `credential` of a passkey that has signed a challenge of ' +
        '`POST /api/auth/passkey/options`. From `expires_at` on, requests with the ' +
        'token are 401; if it is null, the token never expires. The token cannot be read again.',
      body: v.object({
        ...PasswordOrPasskey.entries,
        name: GivenName,
        scope: v.optional(v.picklist(tokenScopes), 'full'),
        expires_at: v.optional(v.nullable(InstantText), null),
      }),
      responses: { 201: { description: 'The token.', schema: NewToken } },
      problems: ['conflict'],
      handle: async ({ identity, body: { name, scope, expires_at, ...proof }, headers }) => {
        const { user } = identity
        if (expires_at && epochMs(expires_at) <= clock.now()) {
          const errors = [{ pointer: '/expires_at', detail: 'must be in the future' }]
          throw new ProblemError('invalid_request', 'The body is not valid.', { errors })
        }
        await requireProof(services, identity, proof, headers)
        requireRoomFor(await users.tokens(user), 'tokens')
        await takeOwnMail(services, user)
        const { token, secret } = await tokens.create(user, name, { scope, expires_at })
        userAccounts.tellOwnChange(user, 'own_token', headers)
        log.info({ user: nameOf(user) }, 'user created a token')
        return json(201, { ...token, token: secret })
      },
    }),
    route({
      ...common,
      endpoint: 'DELETE /api/me/tokens/{id}',
      endsAccess: true,
      summary: 'Revoke a token',
      params: v.object({ id: Uuid }),
      responses: { 204: { description: 'Revoked.' } },
      problems: ['not_found'],
      handle: async ({ identity, params }) => {
        if (await users.revokeToken(identity.user, params.id)) return { status: 204 }
        throw new ProblemError('not_found', 'This token does not exist.')
      },
    }),
  ]
}
