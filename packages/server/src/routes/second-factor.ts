import { InstantText } from '@saldo/core'
import * as v from 'valibot'
import { ProblemError } from '../http/problem.ts'
import { json, type Route, route } from '../http/route.ts'
import type { UserId } from '../store/store.ts'
import type { Identity } from '../users/auth.ts'
import { Code } from '../users/credentials.ts'
import { Confirmation, requirePassword } from './confirmation.ts'
import type { Services } from './services.ts'

const PATH = '/api/me/second-factor'
const common = { tag: 'users', access: 'session' } as const
const State = v.object({
  since: v.nullable(InstantText),
  recovery_codes_left: v.pipe(v.number(), v.integer()),
})
const NewKey = v.object({ key: v.string(), uri: v.string() })
const Codes = v.object({ recovery_codes: v.array(v.string()) })

/** The second factor of the signed-in user: codes of an authenticator app (TOTP), and recovery codes (D8). */
export function secondFactorRoutes(services: Services): Route[] {
  const { auth, users, ownTries, log, nameOf } = services
  const { secondFactor } = auth

  const requireOn = async (user: UserId) => {
    const { since } = await secondFactor.state(user)
    if (since === null) throw new ProblemError('not_found', 'No codes are asked for.')
  }
  /** Who came in by less, or may have taken the telephone, goes. */
  const endOtherSessions = ({ user, by }: Identity) =>
    users.endOtherSessions(user, by.kind === 'session' ? by.id : undefined)

  return [
    route(
      {
        ...common,
        method: 'GET',
        path: PATH,
        summary: 'Whether signing in asks for a code',
        answers: { 200: { description: 'Since when, and how many recovery codes are left.', schema: State } },
      },
      async ({ identity }) => {
        const { since, recoveryCodesLeft } = await secondFactor.state(identity.user)
        return json(200, { since, recovery_codes_left: recoveryCodesLeft })
      },
    ),
    route(
      {
        ...common,
        method: 'POST',
        path: PATH,
        summary: 'Make a key for an authenticator app',
        description:
          'The key is told in this answer only, as text and as the address that a QR code holds. Codes are asked for once one of it was confirmed.',
        body: Confirmation,
        answers: { 200: { description: 'The key.', schema: NewKey } },
        problems: ['conflict'],
      },
      async ({ identity: { user }, body, headers }) => {
        await requirePassword(services, user, body.password, headers)
        if ((await secondFactor.state(user)).since !== null) {
          throw new ProblemError('conflict', 'Codes are asked for already: turn that off first.')
        }
        const found = await users.byId(user)
        return json(200, await secondFactor.begin(user, found?.email ?? ''))
      },
    ),
    route(
      {
        ...common,
        method: 'POST',
        path: `${PATH}/confirmation`,
        summary: 'Ask for codes from now on, and end all other sessions',
        description: 'With a first code of the key. The recovery codes are told in this answer only; each works once.',
        body: v.object({ code: Code }),
        answers: { 200: { description: 'The recovery codes.', schema: Codes } },
      },
      async ({ identity, body }) => {
        const { user } = identity
        await ownTries.take(String(user))
        const codes = await secondFactor.confirm(user, body.code)
        if (!codes) throw new ProblemError('forbidden', 'The code is wrong.')
        await ownTries.reset(String(user))
        await endOtherSessions(identity)
        log.info({ user: nameOf(identity.user) }, 'a user turned codes on')
        return json(200, { recovery_codes: codes })
      },
    ),
    route(
      {
        ...common,
        method: 'POST',
        path: `${PATH}/recovery-codes`,
        summary: 'Make new recovery codes in the place of those that are left',
        body: Confirmation,
        answers: { 200: { description: 'The recovery codes, told in this answer only.', schema: Codes } },
        problems: ['not_found'],
      },
      async ({ identity: { user }, body, headers }) => {
        await requirePassword(services, user, body.password, headers)
        await requireOn(user)
        return json(200, { recovery_codes: await secondFactor.renewRecoveryCodes(user) })
      },
    ),
    route(
      {
        ...common,
        method: 'DELETE',
        path: PATH,
        summary: 'Ask for no more codes, and end all other sessions',
        body: Confirmation,
        answers: { 204: { description: 'Signing in asks for the password only.' } },
        problems: ['not_found'],
      },
      async ({ identity, body, headers }) => {
        await requirePassword(services, identity.user, body.password, headers)
        await requireOn(identity.user)
        await secondFactor.remove(identity.user)
        await endOtherSessions(identity)
        log.info({ user: nameOf(identity.user) }, 'a user turned codes off')
        return { status: 204 }
      },
    ),
  ]
}
