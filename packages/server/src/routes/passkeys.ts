import { AccessKeyRow, Uuid } from '@saldo/core'
import * as v from 'valibot'
import { ProblemError } from '../http/problem.ts'
import { json, type Route, route } from '../http/route.ts'
import { GivenName } from '../users/credentials.ts'
import { CreatedCredential, CreationOptions } from '../users/webauthn-schemas.ts'
import { Confirmation, endOtherSessions, requireParty, requirePassword, requireRoomFor, takeOwnMail } from './guards.ts'
import type { RouteContext } from './route-context.ts'

const PATH = '/api/me/passkeys'
const common = { tag: 'users', access: 'session' } as const
const IdParam = v.object({ id: Uuid })

export function passkeyRoutes(services: RouteContext): Route[] {
  const { passkeys, userAccounts, users, mailLimits, log, nameOf } = services

  return [
    route({
      ...common,
      endpoint: `GET ${PATH}`,
      summary: 'List passkeys',
      responses: {
        200: { description: 'The passkeys, the newest first.', schema: v.object({ items: v.array(AccessKeyRow) }) },
      },
      handle: async ({ identity }) => json(200, { items: await passkeys.store.list(identity.user) }),
    }),
    route({
      ...common,
      endpoint: 'POST /api/me/passkey-options',
      summary: 'Ask for a challenge to create a passkey',
      description:
        'The input of `PublicKeyCredential.parseCreationOptionsFromJSON`. Answer it once, within five minutes.',
      body: Confirmation,
      responses: { 200: { description: 'The options for the authenticator.', schema: CreationOptions } },
      problems: ['conflict'],
      handle: async ({ identity, body, headers }) => {
        const { user } = identity
        const party = requireParty(passkeys, headers)
        await requirePassword(services, identity, body.password)
        requireRoomFor(await passkeys.store.list(user), 'passkeys')
        await takeOwnMail(services, user)
        const found = await users.byId(user)
        return json(200, await passkeys.creationOptions(party, { user, email: found?.email ?? '' }))
      },
    }),
    route({
      ...common,
      endpoint: `POST ${PATH}`,
      summary: 'Add a passkey',
      description: '`credential` is the answer of the authenticator to the challenge.',
      body: v.object({ name: GivenName, credential: CreatedCredential }),
      responses: { 201: { description: 'The passkey.', schema: AccessKeyRow } },
      problems: ['conflict'],
      handle: async ({ identity: { user }, body, headers }) => {
        const added = await passkeys.add(requireParty(passkeys, headers), user, body.name, body.credential)
        if (added.outcome !== 'added') throw refusals[added.outcome]()
        userAccounts.tellOwnChange(user, 'passkey_added', headers)
        log.info({ user: nameOf(user) }, 'user added a passkey')
        return json(201, added.passkey)
      },
    }),
    route({
      ...common,
      endpoint: `PUT ${PATH}/{id}`,
      summary: 'Rename a passkey',
      params: IdParam,
      body: v.object({ name: GivenName }),
      responses: { 200: { description: 'The passkey.', schema: AccessKeyRow } },
      problems: ['not_found'],
      handle: async ({ identity, params, body }) => {
        const renamed = await passkeys.store.rename(identity.user, params.id, body.name)
        if (!renamed) throw noSuchPasskey()
        return json(200, renamed)
      },
    }),
    route({
      ...common,
      endpoint: `DELETE ${PATH}/{id}`,
      endsAccess: true,
      summary: 'Remove a passkey, and end all other sessions',
      params: IdParam,
      body: Confirmation,
      responses: { 204: { description: 'Removed.' } },
      problems: ['not_found'],
      handle: async ({ identity, params, body, headers }) => {
        await requirePassword(services, identity, body.password)
        if (!(await passkeys.store.remove(identity.user, params.id))) throw noSuchPasskey()
        // Somebody else may have the authenticator and be signed in.
        await endOtherSessions(services, identity)
        if (await mailLimits.allowsOwn(identity.user))
          userAccounts.tellOwnChange(identity.user, 'passkey_removed', headers)
        log.info({ user: nameOf(identity.user) }, 'user removed a passkey')
        return { status: 204 }
      },
    }),
  ]
}

const refusals = {
  taken: () => new ProblemError('conflict', 'This authenticator already has a passkey here.'),
  refused: () => new ProblemError('forbidden', 'The answer to the challenge is not valid or came too late. Try again.'),
}

function noSuchPasskey(): ProblemError {
  return new ProblemError('not_found', 'This passkey does not exist.')
}
