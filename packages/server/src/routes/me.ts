import {
  InstantText,
  instantOf,
  Profile,
  ProfilePatch,
  recordKinds,
  recordSchemas,
  type SyncPosition,
  type UserNumber,
  userRoles,
} from '@saldo/core'
import * as v from 'valibot'
import { ProblemError } from '../http/problem.ts'
import { json, type Route, route } from '../http/route.ts'
import type { RecordStore, TimeKey } from '../store/store.ts'
import { dateSpan } from '../store/stored-records.ts'
import { NewPassword, Password } from '../users/credentials.ts'
import { timeKeyOf } from './collection.ts'
import { Confirmation, lastAdmin, requirePassword, requireUncommon, wrongPassword } from './guards.ts'
import type { Services } from './services.ts'

const common = { tag: 'users' }
/** At most 6 MB. */
const RECORDS_PER_PART = 100
const whole = v.pipe(v.number(), v.integer())
const User = v.object({
  user_id: whole,
  email: v.string(),
  role: v.picklist(userRoles),
  created_at: InstantText,
  ...Profile.entries,
})
const Identity = v.object({ issuer: v.string(), subject: v.string(), created_at: InstantText })
const Export = v.object({
  exported_at: InstantText,
  version: whole,
  user: v.object({ ...User.entries, identities: v.array(Identity) }),
  records: v.object(Object.fromEntries(recordKinds.map((kind) => [kind, v.array(recordSchemas[kind])]))),
})

/** The signed-in user: account, profile, password, export and deletion. */
export function meRoutes(services: Services): Route[] {
  const { auth, users, records, clock, ownTries, log, nameOf } = services

  return [
    route({
      ...common,
      endpoint: 'GET /api/me',
      summary: 'Read the signed-in user',
      access: 'read',
      answers: { 200: { description: 'The user.', schema: User } },
      handle: async ({ identity }) => json(200, await readUser(services, identity.user)),
    }),
    route({
      ...common,
      endpoint: 'PATCH /api/me',
      summary: 'Change the profile',
      description:
        'Fields that are left out stay as they are. Admins see the name; the rest is for the month sheet only.',
      access: 'session',
      body: ProfilePatch,
      answers: { 200: { description: 'The user.', schema: User } },
      handle: async ({ identity, body }) => {
        await users.changeProfile(identity.user, body)
        return json(200, await readUser(services, identity.user))
      },
    }),
    route({
      ...common,
      endpoint: 'GET /api/me/export',
      summary: 'Export all data of the user',
      description:
        'Deleting the account needs its `ETag`. A record that changes meanwhile may come as it was or as it is then.',
      access: 'read',
      answers: { 200: { description: 'All live records.', schema: Export, headers: ['ETag'] } },
      handle: async ({ identity }) => {
        const identities = await auth.company.identities.list(identity.user)
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
      description: '`If-Match` must have the `ETag` of the export, so that only exported data is deleted.',
      access: 'session',
      body: Confirmation,
      answers: { 204: { description: 'Deleted.', headers: ['Set-Cookie'] } },
      problems: ['precondition_failed', 'conflict'],
      handle: async ({ identity, body, headers }) => {
        const { user } = identity
        const position = await records.read(user, (reader) => reader.position())
        if (headers['if-match'] !== exportTag(position)) throw notExported()
        await requirePassword(services, user, body.password)
        const outcome = await users.remove(user, position.version)
        if (outcome === 'changed_since') throw notExported()
        if (outcome === 'last_admin') throw lastAdmin()
        log.info({ user: nameOf(user) }, 'user deleted their account')
        return { status: 204, setCookies: (await auth.signOut(identity)).setCookies }
      },
    }),
    route({
      ...common,
      endpoint: 'POST /api/me/password',
      summary: 'Change the password, end all other sessions, and revoke all tokens',
      description: 'With `keep_tokens`, tokens stay valid.',
      access: 'session',
      body: v.object({
        current_password: Password,
        new_password: NewPassword,
        keep_tokens: v.optional(v.boolean(), false),
      }),
      answers: { 204: { description: 'Changed.', headers: ['Set-Cookie'] } },
      handle: async ({ identity: { user }, body, headers }) => {
        await requireUncommon(body.new_password, '/new_password')
        const setCookies = await ownTries.attempt(user, async () => {
          const cookies = await auth.changePassword(
            user,
            { current: body.current_password, next: body.new_password, keepTokens: body.keep_tokens },
            headers,
          )
          if (!cookies) throw wrongPassword()
          return cookies
        })
        log.info({ user: nameOf(user) }, 'user changed their password')
        return { status: 204, setCookies }
      },
    }),
  ]
}

async function readUser({ users }: Services, user: UserNumber): Promise<v.InferOutput<typeof User>> {
  const found = await users.byId(user)
  if (!found) throw new ProblemError('unauthenticated', 'This account no longer exists.')
  const { id: user_id, deactivated_at: _active, ...rest } = found
  return { user_id, ...rest }
}

/** Yields the JSON of an export. Each part is read by itself, so that none waits in memory for a slow client. */
async function* exportParts(records: RecordStore, user: UserNumber, head: object): AsyncGenerator<string> {
  yield `${JSON.stringify(head).slice(0, -1)},"records":{`
  for (const [index, kind] of recordKinds.entries()) {
    yield `${index === 0 ? '' : ','}"${kind}":[`
    let after: TimeKey | undefined
    do {
      const page = { after, limit: RECORDS_PER_PART }
      const found = await records.read(user, (reader) => reader.overlapping(kind, dateSpan({}), page))
      yield `${after && found.length > 0 ? ',' : ''}${found.map(({ body }) => body).join()}`
      const last = found.length < RECORDS_PER_PART ? undefined : found.at(-1)
      after = last && timeKeyOf(last)
    } while (after)
    yield ']'
  }
  yield '}}'
}

/** Returns the entity tag of an export: the sync position. It is weak, because the export is sent compressed. */
function exportTag({ version, tag }: SyncPosition): string {
  return `W/"${version}-${tag ?? ''}"`
}

function notExported(): ProblemError {
  const detail = 'Export your data first, and send the `ETag` of the export in `If-Match`.'
  return new ProblemError('precondition_failed', detail)
}
