import { instantOf, Uuid } from '@saldo/core'
import * as v from 'valibot'
import { ProblemError } from '../http/problem.ts'
import { json, type Route, route } from '../http/route.ts'
import { Token } from '../store/users/users.ts'
import { GivenName } from '../users/credentials.ts'
import type { Services } from './services.ts'

const common = { tag: 'users', access: 'session' } as const
const NewToken = v.object({ ...Token.entries, token: v.string() })

/** The tokens of the signed-in user for programs (D8). */
export function tokenRoutes({ auth, users, clock }: Services): Route[] {
  return [
    route({
      ...common,
      endpoint: 'GET /api/me/tokens',
      summary: 'List tokens',
      answers: { 200: { description: 'The tokens, newest first.', schema: v.object({ items: v.array(Token) }) } },
      handle: async ({ identity }) => json(200, { items: await users.tokens(identity.user) }),
    }),
    route({
      ...common,
      endpoint: 'POST /api/me/tokens',
      summary: 'Create a token for a program',
      description: 'The token cannot be read again.',
      body: v.object({ name: GivenName }),
      answers: { 201: { description: 'The token.', schema: NewToken } },
      handle: async ({ identity, body: { name } }) => {
        const { id, secret } = await auth.createToken(identity.user, name)
        return json(201, { id, name, created_at: instantOf(clock.now()), last_used_on: null, token: secret })
      },
    }),
    route({
      ...common,
      endpoint: 'DELETE /api/me/tokens/{id}',
      summary: 'Revoke a token',
      params: v.object({ id: Uuid }),
      answers: { 204: { description: 'Revoked.' } },
      problems: ['not_found'],
      handle: async ({ identity, params }) => {
        if (await users.revokeToken(identity.user, params.id)) return { status: 204 }
        throw new ProblemError('not_found', 'This token does not exist.')
      },
    }),
  ]
}
