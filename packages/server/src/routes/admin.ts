import {
  AccountLink,
  AccountRow,
  accountFilters,
  accountOrders,
  DisplayName,
  PROTOCOL_VERSION,
  ServiceState,
  type UserNumber,
  userRoles,
} from '@saldo/core'
import * as v from 'valibot'
import { acceptedLanguage } from '../http/accepted-language.ts'
import { ProblemError } from '../http/problem.ts'
import { json, type Route, route } from '../http/route.ts'
import type { StorageFacts } from '../store/storage.ts'
import type { AccountChangeOutcome } from '../store/users/accounts.ts'
import type { AccountAct } from '../users/account-acts.ts'
import { Email } from '../users/credentials.ts'
import { whoCanSignUp } from './auth.ts'
import { limitField, numberText } from './collection.ts'
import { endOtherSessions, lastAdmin, UserId } from './guards.ts'
import type { Services } from './services.ts'

const PATH = '/api/admin/users'
const MAX_PAGE = 100
const DEFAULT_PAGE = 50
const common = { tag: 'admin', access: 'admin' } as const

const Page = v.object({
  search: v.optional(v.pipe(v.string(), v.maxLength(200, 'must have at most 200 characters')), ''),
  offset: v.optional(numberText(0, 999_999_999), '0'),
  limit: limitField(MAX_PAGE, DEFAULT_PAGE),
  show: v.optional(v.picklist(accountFilters), 'all'),
  order: v.optional(v.picklist(accountOrders), 'email'),
})
const Accounts = v.object({ items: v.array(AccountRow), count: v.pipe(v.number(), v.integer()) })
const Invited = v.object({ account: AccountRow, link: AccountLink })

/** Managing accounts. No answer contains a record of anybody (D19.3). */
export function adminRoutes(services: Services): Route[] {
  const { auth, users, acts, mailer, config } = services
  const { accounts } = auth

  const readAccount = async (user: UserNumber) => {
    const account = await accounts.byId(user)
    if (!account) throw noUser()
    return account
  }
  const requireChanged = (outcome: AccountChangeOutcome) => {
    if (outcome === 'not_found') throw noUser()
    if (outcome === 'last_admin') throw lastAdmin()
  }

  return [
    route({
      ...common,
      endpoint: 'GET /api/admin/service',
      summary: 'Read the state of the service',
      description: 'The settings come from the environment. An answer means that the database responds.',
      answers: { 200: { description: 'The state of the service.', schema: ServiceState } },
      handle: async () =>
        json(200, {
          build: services.build,
          protocol: PROTOCOL_VERSION,
          signup: await whoCanSignUp(services),
          database: config.databaseUrl === undefined ? 'sqlite' : 'postgresql',
          public_url: config.publicUrl ?? null,
          mail: { on: mailer.isOn, last_failure: mailer.lastFailure },
          storage: storageOf(await services.storage.facts()),
        }),
    }),
    route({
      ...common,
      endpoint: `GET ${PATH}`,
      summary: 'List accounts',
      description:
        '`search` has words that the name or the address contains; `show` filters, `order` sorts: `last_active` has the ' +
        'least active first.',
      query: Page,
      answers: { 200: { description: 'A page of accounts, and the number of all.', schema: Accounts } },
      handle: async ({ query: { search, ...page } }) => json(200, await accounts.find(search, page)),
    }),
    route({
      ...common,
      endpoint: `POST ${PATH}`,
      summary: 'Invite a user',
      description:
        'Answers a link, with which the user sets a password once within 14 days, and mails it where the service sends ' +
        'mails. `mail` of the link says whether that worked.',
      body: v.object({ email: Email, name: DisplayName }),
      answers: { 201: { description: 'The account and its link.', schema: Invited } },
      problems: ['conflict'],
      handle: async ({ identity, headers, body: { email, name } }) => {
        const invited = await accounts.invite(email, name)
        if (invited.outcome !== 'added') throw addressTaken()
        const language = acceptedLanguage(headers['accept-language'])
        await acts.done('invite', invited.user, identity.user, language)
        const link = await accounts.createLink(invited.user, { language, by: identity.user })
        if (!link) throw noUser()
        return json(201, { account: await readAccount(invited.user), link })
      },
    }),
    route({
      ...common,
      endpoint: `POST ${PATH}/{id}/link`,
      summary: 'Create a link to set a password, in place of an earlier one',
      description:
        'For a user without a password it is the invitation again; else a reset, which lasts a day. Mailed like an ' +
        'invitation.',
      params: UserId,
      answers: { 201: { description: 'The link.', schema: AccountLink } },
      problems: ['not_found', 'conflict'],
      handle: async ({ identity, headers, params }) => {
        const user = params.id
        await readAccount(user)
        const language = acceptedLanguage(headers['accept-language'])
        const link = await accounts.createLink(user, { language, by: identity.user })
        if (!link) throw deactivated()
        await acts.done('link', user, identity.user, language)
        return json(201, link)
      },
    }),
    route({
      ...common,
      endpoint: `PATCH ${PATH}/{id}`,
      summary: 'Change name, address or role of a user, or deactivate or reactivate them',
      description:
        'Deactivating ends all sessions; tokens, feeds and webhooks are refused until the user is reactivated, and the ' +
        'data stays. Reactivating also keeps an ' +
        'account that was to be erased.',
      params: UserId,
      body: v.object({
        name: v.optional(DisplayName),
        email: v.optional(Email),
        role: v.optional(v.picklist(userRoles)),
        active: v.optional(v.boolean()),
      }),
      answers: { 200: { description: 'The account.', schema: AccountRow } },
      problems: ['not_found', 'conflict'],
      handle: async ({ identity, headers, params, body: { name, email, role, active } }) => {
        const user = params.id
        const language = acceptedLanguage(headers['accept-language'])
        const done = (act: AccountAct) => acts.done(act, user, identity.user, language)
        const before = await readAccount(user)
        if (email !== undefined && email.toLowerCase() !== before.email) {
          const { outcome } = await accounts.correctEmail(user, email, language)
          if (outcome === 'email_taken') throw addressTaken()
          if (outcome === 'wrong_link') throw deactivated()
          await done('change_email')
        }
        if (name !== undefined && name !== before.name) {
          await accounts.store.rename(user, name)
          await done('change_name')
        }
        if (role !== undefined) {
          requireChanged(await accounts.store.setRole(user, role))
          if (role !== before.role) await done(role === 'admin' ? 'make_admin' : 'make_user')
        }
        if (active === false) {
          requireChanged(await accounts.deactivate(user))
          await done('deactivate')
        }
        if (active === true) {
          requireChanged(await accounts.store.reactivate(user))
          await done('reactivate')
        }
        return json(200, await readAccount(user))
      },
    }),
    route({
      ...common,
      endpoint: `DELETE ${PATH}/{id}/invitation`,
      summary: 'Withdraw an invitation',
      description: 'Removes the account at once, so that its address is free. A `conflict` once somebody has used it.',
      params: UserId,
      answers: { 204: { description: 'Withdrawn.' } },
      problems: ['not_found', 'conflict'],
      handle: async ({ identity, params }) => {
        const user = params.id
        await readAccount(user)
        if (!(await accounts.store.withdraw(user))) {
          throw new ProblemError('conflict', 'This invitation was accepted. Erase the account instead.')
        }
        await acts.done('withdraw', user, identity.user)
        return { status: 204 }
      },
    }),
    route({
      ...common,
      endpoint: `DELETE ${PATH}/{id}/sessions`,
      summary: 'End all sessions of a user',
      params: UserId,
      answers: { 204: { description: 'Ended.' } },
      problems: ['not_found'],
      handle: async ({ identity, headers, params }) => {
        const user = params.id
        await readAccount(user)
        // An admin who ends their own sessions keeps the one of this request.
        if (user === identity.user) await endOtherSessions(services, identity)
        else await users.endOtherSessions(user)
        await acts.done('end_sessions', user, identity.user, acceptedLanguage(headers['accept-language']))
        return { status: 204 }
      },
    }),
    route({
      ...common,
      endpoint: `DELETE ${PATH}/{id}`,
      summary: 'Erase a user in 14 days',
      description: 'Deactivates the user at once. Until `erase_at` they can be reactivated; then all their data goes.',
      params: UserId,
      answers: { 200: { description: 'The account.', schema: AccountRow } },
      problems: ['not_found', 'conflict'],
      handle: async ({ identity, params }) => {
        const user = params.id
        requireChanged(await accounts.scheduleErasure(user))
        await acts.done('erase', user, identity.user)
        return json(200, await readAccount(user))
      },
    }),
  ]
}

function storageOf({ sizeBytes, freeBytes, lastBackup }: StorageFacts): ServiceState['storage'] {
  return { size_bytes: sizeBytes, free_bytes: freeBytes, last_backup_at: lastBackup }
}

function addressTaken(): ProblemError {
  return new ProblemError('conflict', 'This e-mail address already has an account.')
}

function deactivated(): ProblemError {
  return new ProblemError('conflict', 'This account is deactivated. Reactivate it first.')
}

function noUser(): ProblemError {
  return new ProblemError('not_found', 'This user does not exist.')
}
