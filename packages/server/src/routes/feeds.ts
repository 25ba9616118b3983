import { hash } from 'node:crypto'
import { FeedContent, FeedRow, type UserNumber, Uuid } from '@saldo/core'
import * as v from 'valibot'
import { Gate } from '../gate.ts'
import { isFresh } from '../http/preconditions.ts'
import { ProblemError } from '../http/problem.ts'
import { json, type Route, route } from '../http/route.ts'
import { HOUR_SECONDS, Throttle } from '../http/throttle.ts'
import { readAwayForFeed } from '../team/away.ts'
import { FEED_PATH } from '../users/calendar-feeds.ts'
import { GivenName } from '../users/credentials.ts'
import { PasswordOrPasskey, requireProof, requireRoomFor, takeOwnMail } from './guards.ts'
import type { RouteContext } from './route-context.ts'

/** The reads of a feed in an hour, and of all feeds of a user: whoever has one address leaves some (D15.11). */
const READS_PER_HOUR = 240
const READS_OF_USER_PER_HOUR = 960
/** The responses with one feed that no client has taken yet, and with all feeds of a user (D15.12). */
const MAX_UNTAKEN = 2
const MAX_UNTAKEN_OF_USER = 4

const PATH = '/api/me/feeds'
const common = { tag: 'users', access: 'session' } as const
const NewFeed = v.object({
  ...FeedRow.entries,
  path: v.pipe(v.string(), v.metadata({ description: 'The path of the secret address.' })),
})
const FeedFile = v.pipe(
  v.object({ file: v.pipe(v.string(), v.regex(/^[\w-]{1,100}\.ics$/, 'must be the name of a feed')) }),
)

/** Calendar feeds: their list, and the calendars behind their secret addresses. */
export function feedRoutes(services: RouteContext): Route[] {
  const { feeds, userAccounts, clock, records, team, log, nameOf } = services
  const reads = new Throttle(READS_PER_HOUR, HOUR_SECONDS)
  const readsOfUsers = new Throttle(READS_OF_USER_PER_HOUR, HOUR_SECONDS)
  const places = new Gate(MAX_UNTAKEN)
  const placesOfUsers = new Gate(MAX_UNTAKEN_OF_USER)
  // The feeds of a user are written one after another, so that others are served in between.
  const turns = new Gate(1)

  const requireFeed = async (secret: string) => {
    const found = await feeds.find(secret)
    if (found) return found
    throw new ProblemError('not_found', 'This feed does not exist or was revoked.')
  }
  /** Reads who is away in a group as a user sees it. Throws `not_found` if they do not see it, or no longer. */
  const readAwayDates = async (user: UserNumber, groupId: number) => {
    const people = await readAwayForFeed(team, user, groupId, clock.now())
    if (people) return people
    throw new ProblemError('not_found', 'You do not see this group.')
  }
  /** Waits for a place of a feed, and then of its user; returns a function that leaves both. */
  const enter = async (user: UserNumber, feedId: string) => {
    const leaveFeed = await places.enter(feedId)
    const leaveUser = await placesOfUsers.enter(user)
    return () => {
      leaveUser()
      leaveFeed()
    }
  }
  return [
    route({
      ...common,
      endpoint: `GET ${PATH}`,
      summary: 'List calendar feeds',
      responses: { 200: { description: 'The feeds, newest first.', schema: v.object({ items: v.array(FeedRow) }) } },
      handle: async ({ identity }) => json(200, { items: await feeds.store.list(identity.user) }),
    }),
    route({
      ...common,
      endpoint: `POST ${PATH}`,
      summary: 'Create a calendar feed',
      description:
        'Needs `password`, or the `credential` of a passkey that has signed a challenge of ' +
        '`POST /api/auth/passkey/options`. The address cannot be read again.',
      body: v.intersect([v.object({ ...PasswordOrPasskey.entries, name: GivenName }), FeedContent]),
      responses: { 201: { description: 'The feed and the path of its address.', schema: NewFeed } },
      problems: ['conflict', 'not_found'],
      handle: async ({ identity, body: { name, absences, work, group_id, language, ...proof }, headers }) => {
        const { user } = identity
        await requireProof(services, identity, proof, headers)
        if (group_id !== null) await readAwayDates(user, group_id)
        requireRoomFor(await feeds.store.list(user), 'calendar feeds')
        await takeOwnMail(services, user)
        const { feed, path } = await feeds.create(user, name, { absences, work, group_id, language })
        userAccounts.tellOwnChange(user, 'own_feed', headers)
        log.info({ user: nameOf(user) }, 'user created a calendar feed')
        return json(201, { ...feed, path })
      },
    }),
    route({
      ...common,
      endpoint: `DELETE ${PATH}/{id}`,
      endsAccess: true,
      summary: 'Revoke a calendar feed',
      params: v.object({ id: Uuid }),
      responses: { 204: { description: 'Revoked.' } },
      problems: ['not_found'],
      handle: async ({ identity, params }) => {
        if (await feeds.store.revoke(identity.user, params.id)) return { status: 204 }
        throw new ProblemError('not_found', 'This feed does not exist.')
      },
    }),
    route({
      tag: 'account',
      access: 'public',
      endpoint: `GET ${FEED_PATH}/{file}`,
      summary: 'Read a calendar feed at its secret address',
      params: FeedFile,
      responses: {
        200: { description: 'The calendar (RFC 5545).', contentType: 'text/calendar', headers: ['ETag'] },
        304: { description: 'The calendar has not changed.' },
      },
      problems: ['not_found', 'rate_limited'],
      handle: async ({ params: { file }, headers }) => {
        const secret = file.slice(0, -'.ics'.length)
        const { user, feed: asked } = await requireFeed(secret)
        await reads.take(asked.id)
        await readsOfUsers.take(user)
        const { readFeedEntries, writeFeed, writeTeamFeed } = await import('../calendar/feed.ts')
        const onTaken = await enter(user, asked.id)
        try {
          const body = await turns.run(user, async () => {
            // Meanwhile it may have been revoked, or its user deactivated (D8.37).
            const { feed } = await requireFeed(secret)
            if (feed.group_id !== null) return writeTeamFeed(feed, await readAwayDates(user, feed.group_id))
            return writeFeed(feed, await records.read(user, (reader) => readFeedEntries(reader, clock.now())))
          })
          // A version of the records would tell of changes that the feed does not show.
          const etag = `"${hash('sha256', body, 'base64url')}"`
          const ownHeaders = { etag: `W/${etag}`, 'cache-control': 'private, no-cache' }
          if (isFresh(headers, etag)) return { status: 304, headers: ownHeaders, onTaken }
          const type = { 'content-type': 'text/calendar; charset=utf-8' }
          return { status: 200, body, headers: { ...ownHeaders, ...type }, onTaken }
        } catch (error) {
          onTaken()
          throw error
        }
      },
    }),
  ]
}
