import { AuthenticatorKey, SecondFactorState } from '@saldo/core'
import * as v from 'valibot'
import { ProblemError } from '../http/problem.ts'
import { json, type Route, route } from '../http/route.ts'
import { Code } from '../users/credentials.ts'
import { Confirmation, endOtherSessions, requirePassword, takeOwnMail } from './guards.ts'
import type { RouteContext } from './route-context.ts'

const PATH = '/api/me/second-factor'
const common = { tag: 'users', access: 'session' } as const
const Codes = v.object({ recovery_codes: v.array(v.string()) })

/** The second factor of the signed-in user: codes of an authenticator app (TOTP), and recovery codes. */
export function secondFactorRoutes(services: RouteContext): Route[] {
  const { secondFactor, userAccounts, users, ownTries, log, nameOf } = services

  return [
    route({
      ...common,
      endpoint: `GET ${PATH}`,
      summary: 'Read the state of the second factor',
      responses: {
        200: {
          description: 'When it was turned on, and the number of unused recovery codes.',
          schema: SecondFactorState,
        },
      },
      handle: async ({ identity }) => json(200, await secondFactor.store.state(identity.user)),
    }),
    route({
      ...common,
      endpoint: `POST ${PATH}`,
      summary: 'Create a key for an authenticator app',
      description:
        'The key cannot be read again. `uri` is for a QR code. The second factor is on once the same session has ' +
        'confirmed it, within 15 minutes.',
      body: Confirmation,
      responses: { 200: { description: 'The key.', schema: AuthenticatorKey } },
      problems: ['conflict'],
      handle: async ({ identity, body }) => {
        const { user } = identity
        await requirePassword(services, identity, body.password)
        await takeOwnMail(services, user)
        const found = await users.byId(user)
        const begun = await secondFactor.begin(identity, found?.email ?? '')
        if (!begun) throw new ProblemError('conflict', 'The second factor is already on. Turn it off first.')
        return json(200, begun)
      },
    }),
    route({
      ...common,
      endpoint: `POST ${PATH}/confirmation`,
      summary: 'Turn the second factor on, and end all other sessions',
      description: 'Needs a code of the new key. The recovery codes cannot be read again; each works once.',
      body: v.object({ code: Code }),
      responses: { 200: { description: 'The recovery codes.', schema: Codes } },
      problems: ['conflict'],
      handle: async ({ identity, body, headers }) => {
        const codes = await ownTries.attempt(identity, async () => {
          const confirmed = await secondFactor.confirm(identity, body.code)
          if (confirmed.outcome === 'confirmed') return confirmed.codes
          if (confirmed.outcome === 'expired') {
            throw new ProblemError('conflict', 'This key has expired. Create a new one.')
          }
          throw new ProblemError('forbidden', 'That code is not valid. Check that the time on your phone is correct.')
        })
        await endOtherSessions(services, identity)
        userAccounts.tellOwnChange(identity.user, 'second_factor_on', headers)
        log.info({ user: nameOf(identity.user) }, 'user turned the second factor on')
        return json(200, { recovery_codes: codes })
      },
    }),
    route({
      ...common,
      endpoint: `POST ${PATH}/recovery-codes`,
      summary: 'Replace the recovery codes',
      body: Confirmation,
      responses: { 200: { description: 'The new recovery codes. They cannot be read again.', schema: Codes } },
      problems: ['not_found'],
      handle: async ({ identity, body, headers }) => {
        const { user } = identity
        await requirePassword(services, identity, body.password)
        await takeOwnMail(services, user)
        const codes = await secondFactor.renewRecoveryCodes(user)
        if (!codes) throw isOff()
        userAccounts.tellOwnChange(user, 'recovery_codes', headers)
        log.info({ user: nameOf(user) }, 'user replaced the recovery codes')
        return json(200, { recovery_codes: codes })
      },
    }),
    route({
      ...common,
      endpoint: `DELETE ${PATH}`,
      summary: 'Turn the second factor off, and end all other sessions',
      body: Confirmation,
      responses: { 204: { description: 'Turned off.' } },
      problems: ['not_found'],
      handle: async ({ identity, body, headers }) => {
        await requirePassword(services, identity, body.password)
        await takeOwnMail(services, identity.user)
        if (!(await secondFactor.store.remove(identity.user))) throw isOff()
        await endOtherSessions(services, identity)
        userAccounts.tellOwnChange(identity.user, 'second_factor_off', headers)
        log.info({ user: nameOf(identity.user) }, 'user turned the second factor off')
        return { status: 204 }
      },
    }),
  ]
}

function isOff(): ProblemError {
  return new ProblemError('not_found', 'The second factor is off.')
}
