import {
  DisplayName,
  type MailLanguage,
  PROTOCOL_VERSION,
  ServiceState,
  UserAccountLink,
  UserAccountRow,
  type UserNumber,
  userAccountFilters,
  userAccountOrders,
  userRoles,
  wholeNumber,
} from '@saldo/core'
import * as v from 'valibot'
import { acceptedLanguage } from '../http/accepted-language.ts'
import { ProblemError } from '../http/problem.ts'
import { json, type Route, route } from '../http/route.ts'
import type { StorageFacts } from '../store/storage.ts'
import { Email } from '../users/credentials.ts'
import type { Identity } from '../users/identification.ts'
import type { EditOutcome } from '../users/user-accounts.ts'
import { whoCanSignUp } from './auth.ts'
import { endOtherSessions, lastAdmin, PasswordOrPasskey, requireProof, UserId } from './guards.ts'
import type { RouteContext } from './route-context.ts'

const PATH = '/api/admin/users'
const MAX_PAGE = 100
const DEFAULT_PAGE = 50
const common = { tag: 'admin', access: 'admin' } as const

const Page = v.object({
  search: v.optional(v.pipe(v.string(), v.maxLength(200, 'must have at most 200 characters')), ''),
  offset: v.optional(wholeNumber(0, 999_999_999), 0),
  limit: v.optional(wholeNumber(1, MAX_PAGE), DEFAULT_PAGE),
  show: v.optional(v.picklist(userAccountFilters), 'all'),
  order: v.optional(v.picklist(userAccountOrders), 'email'),
})
const Accounts = v.object({ items: v.array(UserAccountRow), count: v.pipe(v.number(), v.integer()) })
const Invited = v.object({ account: UserAccountRow, link: UserAccountLink })

/** Managing accounts. No response contains a record of anybody (D19.3). */
export function adminRoutes(services: RouteContext): Route[] {
  const { userAccounts, users, acts, mailer, config, mailLimits } = services

  const readAccount = async (user: UserNumber) => {
    const account = await userAccounts.byId(user)
    if (!account) throw noUser()
    return account
  }
  /** Notes the acts that a change was, and returns the account. Throws for a change that was refused. */
  const noteChange = async (
    user: UserNumber,
    changed: EditOutcome,
    { identity, language }: { identity: Identity; language: MailLanguage },
  ) => {
    if (changed.outcome !== 'changed') throw refusals[changed.outcome]()
    const account = await readAccount(user)
    for (const act of changed.acts) {
      await acts.done(act, user, identity.user, language)
      if (act === 'deactivate' || act === 'erase') await mailLimits.countOne(identity.user, account.email)
    }
    return json(200, account)
  }

  return [
    route({
      ...common,
      endpoint: 'GET /api/admin/service',
      summary: 'Read the state of the service',
      description: 'The settings come from the environment. A response means that the database works.',
      responses: { 200: { description: 'The state of the service.', schema: ServiceState } },
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
      endpoint: 'POST /api/admin/user-search',
      isRead: true,
      summary: 'List accounts',
      description:
        '`search` has words that the name or the address contains; `show` filters, `order` sorts: `last_active` has the ' +
        'least active first.',
      body: Page,
      responses: { 200: { description: 'A page of accounts, and the number of all.', schema: Accounts } },
      handle: async ({ body: { search, ...page } }) => json(200, await userAccounts.find(search, page)),
    }),
    route({
      ...common,
      endpoint: `POST ${PATH}`,
      summary: 'Invite a user',
      description:
        'With the password or a passkey of the admin. Creates a link, with which the user sets a password once within ' +
        '14 days, and mails it where the service sends mails; one that was mailed is not in the response.',
      body: v.object({ email: Email, name: DisplayName, ...PasswordOrPasskey.entries }),
      responses: { 201: { description: 'The account and its link.', schema: Invited } },
      problems: ['conflict'],
      handle: async ({ identity, headers, body: { email, name, ...proof } }) => {
        await requireProof(services, identity, proof, headers)
        await mailLimits.takeOne(identity.user, email)
        const invited = await userAccounts.invite(email, name)
        if (invited.outcome !== 'added') throw addressTaken()
        const language = acceptedLanguage(headers['accept-language'])
        await acts.done('invite', invited.user, identity.user, language)
        const link = await userAccounts.createLink(invited.user, { language, by: identity.user })
        if (!link) throw noUser()
        return json(201, { account: await readAccount(invited.user), link })
      },
    }),
    route({
      ...common,
      endpoint: `POST ${PATH}/{id}/link`,
      summary: 'Create a link to set a password, in place of an earlier one',
      description:
        'With the password or a passkey of the admin. For a user who has not accepted an invitation it is the ' +
        'invitation again; else a reset, which lasts a day. With `show`, the link is answered and not mailed, and the ' +
        'user gets a mail about it.',
      params: UserId,
      body: v.object({ show: v.optional(v.boolean(), false), ...PasswordOrPasskey.entries }),
      responses: { 201: { description: 'The link.', schema: UserAccountLink } },
      problems: ['not_found', 'conflict'],
      handle: async ({ identity, headers, params, body: { show, ...proof } }) => {
        const user = params.id
        const account = await readAccount(user)
        await requireProof(services, identity, proof, headers)
        await mailLimits.takeOne(identity.user, account.email)
        const language = acceptedLanguage(headers['accept-language'])
        const link = await userAccounts.createLink(user, { language, by: identity.user, show })
        if (!link) throw notReached()
        await acts.done('link', user, identity.user, language)
        return json(201, link)
      },
    }),
    route({
      ...common,
      endpoint: `PATCH ${PATH}/{id}`,
      summary: 'Change name, address or role of a user, or deactivate or reactivate them',
      description:
        'All of it or nothing. An address that is given counts as confirmed, be it new or the present one. Address, role ' +
        'and reactivating need the password or a passkey of the admin. ' +
        'Deactivating ends all sessions; tokens, feeds and webhooks are refused until the user is reactivated, and the ' +
        'data stays. Reactivating also keeps an account that was to be erased.',
      params: UserId,
      body: v.object({
        name: v.optional(DisplayName),
        email: v.optional(Email),
        role: v.optional(v.picklist(userRoles)),
        active: v.optional(v.boolean()),
        ...PasswordOrPasskey.entries,
      }),
      responses: { 200: { description: 'The account.', schema: UserAccountRow } },
      problems: ['not_found', 'conflict'],
      handle: async ({ identity, headers, params, body: { name, email, role, active, ...proof } }) => {
        const user = params.id
        const language = acceptedLanguage(headers['accept-language'])
        const account = await readAccount(user)
        if (email !== undefined || role !== undefined || active === true) {
          await requireProof(services, identity, proof, headers)
          for (const address of new Set([account.email, email ?? account.email])) {
            await mailLimits.takeOne(identity.user, address)
          }
        }
        const changed = await userAccounts.change(user, { name, email, role, active }, language)
        return noteChange(user, changed, { identity, language })
      },
    }),
    route({
      ...common,
      endpoint: `DELETE ${PATH}/{id}/invitation`,
      summary: 'Withdraw an invitation',
      description: 'Removes the account at once, so that its address is free. A `conflict` once somebody has used it.',
      params: UserId,
      responses: { 204: { description: 'Withdrawn.' } },
      problems: ['not_found', 'conflict'],
      handle: async ({ identity, params }) => {
        const user = params.id
        await readAccount(user)
        if (!(await userAccounts.store.withdraw(user))) {
          throw new ProblemError('conflict', 'This invitation was accepted. Erase the account instead.')
        }
        await acts.done('withdraw', user, identity.user)
        return { status: 204 }
      },
    }),
    route({
      ...common,
      endpoint: `DELETE ${PATH}/{id}/sessions`,
      endsAccess: true,
      summary: 'End all sessions of a user',
      params: UserId,
      responses: { 204: { description: 'Ended.' } },
      problems: ['not_found'],
      handle: async ({ identity, headers, params }) => {
        const user = params.id
        const { email } = await readAccount(user)
        // An admin who ends their own sessions keeps the one of this request.
        const isOwn = user === identity.user
        const hasEnded = isOwn ? await endOtherSessions(services, identity) : await users.endOtherSessions(user)
        // Whoever repeats it sends no more mails.
        const language = acceptedLanguage(headers['accept-language'])
        if (hasEnded) {
          await acts.done('end_sessions', user, identity.user, language)
          await mailLimits.countOne(identity.user, email)
        }
        return { status: 204 }
      },
    }),
    route({
      ...common,
      endpoint: `DELETE ${PATH}/{id}`,
      summary: 'Erase a user in 14 days',
      description:
        'Deactivates the user at once. Until `erase_at` they can be reactivated; then all their data goes. A `conflict` ' +
        'for the only HR of a company, and for the own account, which is deleted in its settings.',
      params: UserId,
      responses: { 200: { description: 'The account.', schema: UserAccountRow } },
      problems: ['not_found', 'conflict'],
      handle: async ({ identity, headers, params }) => {
        const language = acceptedLanguage(headers['accept-language'])
        // There the data is exported first, and a company is left.
        if (params.id === identity.user) throw new ProblemError('conflict', 'Delete your own account in its settings.')
        return noteChange(params.id, await userAccounts.eraseLater(params.id, language), { identity, language })
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

function onlyHr(): ProblemError {
  return new ProblemError('conflict', 'This is the only HR of a company. Somebody else has to be HR first.')
}

function deactivated(): ProblemError {
  return new ProblemError('conflict', 'This account is deactivated. Reactivate it first.')
}

function notReached(): ProblemError {
  return new ProblemError('conflict', 'This account is deactivated, or its address has just changed. Look at it again.')
}

function noUser(): ProblemError {
  return new ProblemError('not_found', 'This user does not exist.')
}

const refusals = {
  not_found: noUser,
  last_admin: lastAdmin,
  only_hr: onlyHr,
  email_taken: addressTaken,
  deactivated,
} satisfies Record<Exclude<EditOutcome['outcome'], 'changed'>, () => ProblemError>
