import { DateText, InstantText, instantOf, recordKinds, recordSchemas, type UserNumber, Uuid } from '@saldo/core'
import * as v from 'valibot'
import { ProblemError } from '../http/problem.ts'
import { json, type Route, route } from '../http/route.ts'
import type { SyncPosition } from '../store/store.ts'
import { GivenName, NewPassword, Password } from '../users/credentials.ts'
import { Confirmation, requirePassword, requireUncommon, wrongPassword } from './guards.ts'
import type { Services } from './services.ts'

const common = { tag: 'users' }
const Id = v.pipe(v.number(), v.integer())
const User = v.object({ user_id: Id, email: v.string(), created_at: InstantText })
const Session = v.object({
  id: Id,
  created_at: InstantText,
  expires_at: InstantText,
  user_agent: v.nullable(v.string()),
  current: v.boolean(),
})
const Token = v.object({
  id: Uuid,
  name: v.string(),
  created_at: InstantText,
  last_used_on: v.nullable(DateText),
})
const NewToken = v.object({ ...Token.entries, token: v.string() })
const Export = v.object({
  exported_at: InstantText,
  version: Id,
  user: User,
  records: v.object(Object.fromEntries(recordKinds.map((kind) => [kind, v.array(recordSchemas[kind])]))),
})
const listOf = <S extends v.GenericSchema>(item: S) => v.object({ items: v.array(item) })

const SessionParam = v.object({
  id: v.pipe(v.string(), v.regex(/^\d{1,15}$/, 'must be the id of a session'), v.transform(Number)),
})

/** The signed-in user: account, password, sessions, tokens, export and deletion (D8). */
export function meRoutes(services: Services): Route[] {
  const { auth, users, records, clock, ownTries, log, nameOf } = services
  const readUser = async (id: UserNumber) => {
    const user = await users.byId(id)
    if (!user) throw new ProblemError('unauthenticated', 'This account no longer exists.')
    return { user_id: user.id, email: user.email, created_at: user.createdAt }
  }

  return [
    route({
      ...common,
      endpoint: 'GET /api/me',
      summary: 'Read the signed-in user',
      access: 'user',
      answers: { 200: { description: 'The user.', schema: User } },
      handle: async ({ identity }) => json(200, await readUser(identity.user)),
    }),
    route({
      ...common,
      endpoint: 'GET /api/me/export',
      summary: 'Export all data of the user',
      description: 'Deleting the account needs its `ETag`.',
      access: 'user',
      answers: { 200: { description: 'All live records.', schema: Export, headers: ['ETag'] } },
      handle: async ({ identity }) => {
        const user = await readUser(identity.user)
        const exportedAt = instantOf(clock.now())
        return records.read(identity.user, async (reader) => {
          const position = await reader.position()
          const lists = []
          for (const kind of recordKinds) {
            const bodies = (await reader.live(kind)).map(({ body }) => body)
            lists.push(`"${kind}":[${bodies.join(',')}]`)
          }
          const head = JSON.stringify({ exported_at: exportedAt, version: position.version, user })
          const body = `${head.slice(0, -1)},"records":{${lists.join(',')}}}`
          return { status: 200, body, headers: { etag: exportTag(position) } }
        })
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
      problems: ['precondition_failed'],
      handle: async ({ identity, body, headers }) => {
        const position = await records.read(identity.user, (reader) => reader.position())
        const notExported = () =>
          new ProblemError(
            'precondition_failed',
            'Export your data first, and send the `ETag` of the export in `If-Match`.',
          )
        if (headers['if-match'] !== exportTag(position)) throw notExported()
        await requirePassword(services, identity.user, body.password, headers)
        if (!(await users.remove(identity.user, position.version))) throw notExported()
        log.info({ user: nameOf(identity.user) }, 'user deleted their account')
        return { status: 204, setCookies: await auth.signOut(headers) }
      },
    }),
    route({
      ...common,
      endpoint: 'POST /api/me/password',
      summary: 'Change the password, and end all other sessions',
      access: 'session',
      body: v.object({ current_password: Password, new_password: NewPassword }),
      answers: { 204: { description: 'Changed.', headers: ['Set-Cookie'] } },
      handle: async ({ identity, body, headers }) => {
        await requireUncommon(body.new_password, '/new_password')
        await ownTries.take(String(identity.user))
        const setCookies = await auth.changePassword(body.current_password, body.new_password, headers)
        if (!setCookies) throw wrongPassword()
        await ownTries.reset(String(identity.user))
        log.info({ user: nameOf(identity.user) }, 'user changed their password')
        return { status: 204, setCookies }
      },
    }),
    route({
      ...common,
      endpoint: 'GET /api/me/sessions',
      summary: 'List sessions',
      access: 'session',
      answers: { 200: { description: 'The sessions, newest first.', schema: listOf(Session) } },
      handle: async ({ identity }) => {
        const sessions = await users.sessions(identity.user, instantOf(clock.now()))
        const items = sessions.map(({ id, createdAt, expiresAt, userAgent }) => ({
          id,
          created_at: createdAt,
          expires_at: expiresAt,
          user_agent: userAgent,
          current: identity.by.kind === 'session' && identity.by.id === id,
        }))
        return json(200, { items })
      },
    }),
    route({
      ...common,
      endpoint: 'DELETE /api/me/sessions/{id}',
      summary: 'End a session',
      access: 'session',
      params: SessionParam,
      answers: { 204: { description: 'Ended.' } },
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
      access: 'session',
      answers: { 200: { description: 'The tokens, newest first.', schema: listOf(Token) } },
      handle: async ({ identity }) => {
        const tokens = await users.tokens(identity.user)
        const items = tokens.map(({ id, name, createdAt, lastUsedOn }) => ({
          id,
          name,
          created_at: createdAt,
          last_used_on: lastUsedOn,
        }))
        return json(200, { items })
      },
    }),
    route({
      ...common,
      endpoint: 'POST /api/me/tokens',
      summary: 'Create a token for a program',
      description: 'The token cannot be read again.',
      access: 'session',
      body: v.object({ name: GivenName }),
      answers: { 201: { description: 'The token.', schema: NewToken } },
      handle: async ({ identity, body: { name } }) => {
        const { id, secret } = await auth.createToken(identity.user, name)
        const created_at = instantOf(clock.now())
        return json(201, { id, name, created_at, last_used_on: null, token: secret })
      },
    }),
    route({
      ...common,
      endpoint: 'DELETE /api/me/tokens/{id}',
      summary: 'Revoke a token',
      access: 'session',
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

/** Returns the entity tag of an export: the sync position. It is weak, because the export is sent compressed. */
function exportTag({ version, tag }: SyncPosition): string {
  return `W/"${version}-${tag ?? ''}"`
}
