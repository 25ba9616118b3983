import {
  InstantText,
  instantOf,
  Preferences,
  Profile,
  recordKinds,
  recordSchemas,
  StoredSheet,
  type SyncPosition,
  UserAccountPatch,
  type UserNumber,
  userRoles,
  utcDate,
} from '@saldo/core'
import * as v from 'valibot'
import { acceptedLanguage } from '../http/accepted-language.ts'
import { ProblemError } from '../http/problem.ts'
import { json, type Route, route } from '../http/route.ts'
import { isMember } from '../store/users/users.ts'
import { leftCompany } from '../team/own-company.ts'
import { Email, NewPassword, Password } from '../users/credentials.ts'
import { exportedUser, exportParts } from '../users/user-export.ts'
import {
  lastAdmin,
  PasswordOrPasskey,
  requirePassword,
  requireProof,
  requireUncommon,
  wrongPassword,
} from './guards.ts'
import type { RouteContext } from './route-context.ts'

const common = { tag: 'users' }
const whole = v.pipe(v.number(), v.integer())
const User = v.object({
  user_id: whole,
  email: v.string(),
  email_confirmed: v.pipe(
    v.boolean(),
    v.metadata({ description: 'True if the user, an admin or a provider has shown that the address is theirs.' }),
  ),
  role: v.picklist(userRoles),
  /** Without one, a user signs in at a provider or by passkey. */
  has_password: v.boolean(),
  created_at: InstantText,
  ...Profile.entries,
  preferences: v.pipe(v.nullable(Preferences), v.metadata({ description: 'Null until the user has chosen some.' })),
})
const Me = v.object({
  ...User.entries,
  has_company: v.pipe(
    v.boolean(),
    v.metadata({
      description:
        'True if a company concerns the user: as a member of it, before or now, by an invitation or a role, or as an admin.',
    }),
  ),
})
const Identity = v.object({ issuer: v.string(), subject: v.string(), created_at: InstantText })
const Export = v.object({
  exported_at: InstantText,
  version: whole,
  user: v.object({ ...User.entries, identities: v.array(Identity) }),
  records: v.object(Object.fromEntries(recordKinds.map((kind) => [kind, v.array(recordSchemas[kind])]))),
  sheets: v.pipe(v.array(StoredSheet), v.metadata({ description: 'The stored sheets of locked months.' })),
  trail: v.pipe(v.array(v.unknown()), v.metadata({ description: 'The trail of the account (D29.6).' })),
})

/** The signed-in user: account, profile, password, export and deletion. */
export function meRoutes(services: RouteContext): Route[] {
  const { companies, company, signIn, userAccounts, users, records, clock, ownTries, mailer, mailLimits, log, nameOf } =
    services

  return [
    route({
      ...common,
      endpoint: 'GET /api/me',
      summary: 'Read the signed-in user',
      access: 'read',
      responses: { 200: { description: 'The user.', schema: Me } },
      handle: async ({ identity }) => json(200, await readMe(services, identity.user)),
    }),
    route({
      ...common,
      endpoint: 'PATCH /api/me',
      summary: 'Change the profile or the preferences',
      description:
        'Fields that are left out stay as they are. Admins see the name; the rest of the profile is for the month ' +
        'sheet only.',
      access: 'session',
      body: UserAccountPatch,
      responses: { 200: { description: 'The user.', schema: Me } },
      handle: async ({ identity, body }) => {
        await users.changeProfile(identity.user, body, instantOf(clock.now()))
        return json(200, await readMe(services, identity.user))
      },
    }),
    route({
      ...common,
      endpoint: 'GET /api/me/export',
      summary: 'Export all data of the user',
      description:
        'Deleting the account needs its `ETag`. A record that changes meanwhile may come as it was or as it is then.',
      access: 'read',
      responses: { 200: { description: 'All live records.', schema: Export, headers: ['ETag'] } },
      handle: async ({ identity }) => {
        const identities = await company.identities.list(identity.user)
        const user = { ...(await readUser(services, identity.user)), identities }
        const position = await records.read(identity.user, (reader) => reader.position())
        const head = { exported_at: instantOf(clock.now()), version: position.version, user }
        return { status: 200, parts: exportParts(records, identity.user, head), headers: { etag: exportTag(position) } }
      },
    }),
    route({
      ...common,
      endpoint: 'DELETE /api/me',
      summary: 'Delete the account and all its data',
      description:
        'At once, with the password or a passkey. `If-Match` must have the `ETag` of the export, so that only exported ' +
        'data is deleted.',
      access: 'session',
      body: PasswordOrPasskey,
      responses: { 204: { description: 'Deleted.', headers: ['Set-Cookie'] } },
      problems: ['precondition_failed', 'conflict'],
      handle: async ({ identity, body, headers }) => {
        const { user } = identity
        const { position, rules } = await records.read(user, async (reader) => {
          return { position: await reader.position(), rules: await reader.memberRules() }
        })
        const today = utcDate(clock.now())
        if (isMember(rules, today)) throw stillMember()
        // Somebody who is no member can be HR.
        if (await companies.store.countsAsHr(user, today)) throw stillHr()
        if (headers['if-match'] !== exportTag(position)) throw notExported()
        await requireProof(services, identity, body, headers)
        const outcome = await users.remove(user, position.version, today)
        if (outcome === 'member') throw stillMember()
        if (outcome === 'hr') throw stillHr()
        if (outcome === 'changed_since') throw notExported()
        if (outcome === 'last_admin') throw lastAdmin()
        log.info({ user: nameOf(user) }, 'user deleted their account')
        return { status: 204, setCookies: signIn.forget() }
      },
    }),
    route({
      ...common,
      endpoint: 'POST /api/me/email',
      summary: 'Change the e-mail address',
      description:
        'At once where the service sends no mails. Otherwise a link in a mail to the new address changes it, once ' +
        'within 24 hours, in a session of this user; nothing is sent if the address has another account.',
      access: 'session',
      body: v.object({ email: Email, password: Password }),
      responses: {
        200: {
          description: 'Whether the address was changed, or a link was sent to it.',
          schema: v.object({ outcome: v.picklist(['changed', 'confirmation_sent']) }),
        },
      },
      problems: ['conflict', 'rate_limited'],
      handle: async ({ identity, body: { email, password }, headers }) => {
        const { user } = identity
        await requirePassword(services, identity, password)
        const isOwn = (await users.byId(user))?.email === email
        await (isOwn ? mailLimits.takeConfirmation(email) : mailLimits.takeLink(user, email))
        const language = acceptedLanguage(headers['accept-language'])
        const outcome = await userAccounts.changeEmail(user, email, language)
        if (outcome === 'email_taken') throw new ProblemError('conflict', 'This e-mail address already has an account.')
        log.info({ user: nameOf(user), outcome }, 'user asked for another e-mail address')
        return json(200, { outcome })
      },
    }),
    route({
      ...common,
      endpoint: 'POST /api/me/email-confirmation',
      summary: 'Mail the link that confirms the own e-mail address',
      description: 'A `conflict` if it is confirmed already, or the service sends no mails. Five times a day.',
      access: 'session',
      responses: { 202: { description: 'The mail is on its way.' } },
      problems: ['conflict', 'rate_limited'],
      handle: async ({ identity: { user }, headers }) => {
        const me = await users.byId(user)
        if (!mailer.isOn || !me || me.email_confirmed_at !== null) {
          throw new ProblemError('conflict', 'The address is confirmed already, or this service sends no mails.')
        }
        await mailLimits.takeConfirmation(me.email)
        await userAccounts.confirmLater(user, acceptedLanguage(headers['accept-language']))
        return { status: 202 }
      },
    }),
    route({
      ...common,
      endpoint: 'POST /api/me/password',
      endsAccess: true,
      summary: 'Change the password, end all other sessions, and revoke all tokens',
      description: 'With `keep_tokens`, tokens stay valid.',
      access: 'session',
      body: v.object({
        current_password: Password,
        new_password: NewPassword,
        keep_tokens: v.optional(v.boolean(), false),
      }),
      responses: { 204: { description: 'Changed.', headers: ['Set-Cookie'] } },
      handle: async ({ identity, body, headers }) => {
        const { user } = identity
        await requireUncommon(body.new_password, '/new_password')
        const setCookies = await ownTries.attempt(identity, async () => {
          const cookies = await signIn.changePassword(
            user,
            { current: body.current_password, next: body.new_password, keepTokens: body.keep_tokens },
            headers,
          )
          if (!cookies) throw wrongPassword()
          return cookies
        })
        if (await mailLimits.allowsOwn(user)) userAccounts.tellOwnChange(user, 'password', headers)
        log.info({ user: nameOf(user) }, 'user changed their password')
        return { status: 204, setCookies }
      },
    }),
  ]
}

async function readUser({ users }: RouteContext, user: UserNumber): Promise<v.InferOutput<typeof User>> {
  const found = await users.byId(user)
  if (!found) throw new ProblemError('unauthenticated', 'This account no longer exists.')
  return exportedUser(users, found)
}

async function readMe(services: RouteContext, user: UserNumber): Promise<v.InferOutput<typeof Me>> {
  const { team, companies, records } = services
  const me = await readUser(services, user)
  const own = (await companies.companyReadBy(user)) ?? (await leftCompany(companies, records, user))
  return { ...me, has_company: own !== undefined || (me.role === 'admin' && (await team.companies()).length > 0) }
}

/** Returns the entity tag of an export: the sync position. It is weak, because the export is sent compressed. */
function exportTag({ version, tag }: SyncPosition): string {
  return `W/"${version}-${tag ?? ''}"`
}

function notExported(): ProblemError {
  const detail = 'Export your data first, and send the `ETag` of the export in `If-Match`.'
  return new ProblemError('precondition_failed', detail)
}

function stillHr(): ProblemError {
  const detail = 'You are HR of a company, or were within the last 14 days. End that role first, and wait until then.'
  return new ProblemError('conflict', detail)
}

function stillMember(): ProblemError {
  return new ProblemError('conflict', 'You are a member of a company. Ask HR to end the membership first.')
}
