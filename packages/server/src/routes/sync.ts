import { DigestResponse, PullResponse, PushChange, PushRequest, PushResponse, Uuid, wireLimits } from '@saldo/core'
import * as v from 'valibot'
import { ProblemError } from '../http/problem.ts'
import { json, type Route, route } from '../http/route.ts'
import { type PullResult, pullSince, pullSnapshot } from '../sync/pull.ts'
import { push } from '../sync/push.ts'
import { described, limitField } from './collection.ts'
import type { RouteContext } from './route-context.ts'

// The handler reads it, because a wrong one has an error code of its own.
const SinceText = v.pipe(v.string(), v.metadata({ type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER }))

const PullQuery = v.object({
  since: described(SinceText, 'The version of the last pull; without it, the response is a snapshot.'),
  limit: limitField(wireLimits.pull_max, wireLimits.pull_default),
  cursor: described(v.string(), 'The `cursor` of the previous snapshot page.'),
})

/** Pull, digest, change notifications and push (R3.3 to R3.10). */
export function syncRoutes({ records, streams, clock, config, meter }: RouteContext): Route[] {
  return [
    route({
      endpoint: 'GET /api/sync/pull',
      tag: 'sync',
      summary: 'Pull changes since a version, or a snapshot',
      description:
        'Without `since`, a snapshot of all live records. The response is 410 if the log does not reach back to `since`.',
      access: 'read',
      query: PullQuery,
      responses: { 200: { description: 'Changes in version order, or a page of the snapshot.', schema: PullResponse } },
      problems: ['invalid_since', 'invalid_cursor', 'sync_stale'],
      handle: async ({ identity, query: { since, limit, cursor } }) => {
        const outcome =
          since === undefined
            ? await pullSnapshot(records, clock, identity.user, cursor, limit)
            : await pullSince(records, clock, identity.user, readSince(since), limit)
        meter.pulled(outcome.outcome === 'pulled' ? (since === undefined ? 'snapshot' : 'changes') : outcome.outcome)
        return { status: 200, body: bodyOf(outcome) }
      },
    }),
    route({
      endpoint: 'GET /api/sync/digest',
      tag: 'sync',
      summary: 'Compare the live records by digest',
      description: 'A client that has the same version and tag, but another digest, has different records.',
      access: 'read',
      responses: { 200: { description: 'The count and digest of each kind.', schema: DigestResponse } },
      handle: async ({ identity }) => {
        const body = await records.read(identity.user, async (reader) => ({
          ...(await reader.position()),
          kinds: await reader.digests(),
        }))
        return json(200, body)
      },
    }),
    route({
      endpoint: 'GET /api/sync/events',
      tag: 'sync',
      summary: 'Receive change notifications as server-sent events',
      description: 'Each `event: version` has `data: {"version": N}`. The stream ends with the session or token.',
      access: 'read',
      responses: {
        200: { description: 'Events until either side closes the connection.', contentType: 'text/event-stream' },
      },
      problems: ['rate_limited'],
      handle: async ({ identity }) => ({
        status: 200,
        // Proxies buffer responses by default.
        headers: { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' },
        stream: await streams.open(identity),
      }),
    }),
    route({
      endpoint: 'POST /api/sync/push',
      tag: 'sync',
      summary: 'Push changes',
      description:
        `At most ${wireLimits.push_changes} changes. A rejected change does not affect the others. With a token of the ` +
        'scope `record`, changes of other kinds than `entries` are rejected.',
      access: 'record',
      body: PushRequest,
      documentedBody: v.object({ device: v.optional(Uuid), changes: v.array(PushChange) }),
      maxBodyBytes: wireLimits.push_bytes,
      responses: { 200: { description: 'The push result of each change.', schema: PushResponse } },
      handle: async ({ identity, body: { device, changes } }) => {
        if (changes.length > wireLimits.push_changes) {
          throw new ProblemError(
            'payload_too_large',
            `A push may have at most ${wireLimits.push_changes} changes. Send fewer.`,
          )
        }
        const context = { user: identity.user, nowMs: clock.now(), quotaBytes: config.quotaBytes }
        const entriesOnly = identity.by.kind === 'token' && identity.by.scope === 'record'
        return json(200, await push(records, { device, changes, entriesOnly }, context, meter))
      },
    }),
  ]
}

function readSince(text: string): number {
  const since = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN
  if (Number.isSafeInteger(since)) return since
  throw new ProblemError('invalid_since', '`since` is not valid.', {
    errors: [{ pointer: '/since', detail: 'must be a whole number from 0 to 2^53 − 1' }],
  })
}

function bodyOf(outcome: PullResult): string {
  switch (outcome.outcome) {
    case 'pulled':
      return outcome.body
    case 'stale':
      throw new ProblemError(
        'sync_stale',
        `The log begins after version ${outcome.marker.version}. Pull a snapshot instead.`,
      )
    case 'invalid_cursor':
      throw new ProblemError('invalid_cursor', 'The cursor is not valid any more. Start the snapshot again.')
  }
}
