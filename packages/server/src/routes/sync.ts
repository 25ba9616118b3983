import { DigestAnswer, limits, PullAnswer, PushAnswer, PushChange, PushEnvelope, Uuid } from '@saldo/core'
import * as v from 'valibot'
import { ProblemError } from '../http/problem.ts'
import { json, type Route, route } from '../http/route.ts'
import { digestsOf } from '../sync/digest.ts'
import { type PullOutcome, pullSince, pullSnapshot } from '../sync/pull.ts'
import { push } from '../sync/push.ts'
import type { Services } from './services.ts'

const PullQuery = v.object({
  since: v.optional(
    v.pipe(v.string(), v.metadata({ description: 'The last version that the client has; without it, a snapshot.' })),
  ),
  limit: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^\d{1,5}$/, `must be a whole number from 1 to ${limits.pull_max}`),
      v.transform(Number),
      v.minValue(1, `must be a whole number from 1 to ${limits.pull_max}`),
      v.maxValue(limits.pull_max, `must be a whole number from 1 to ${limits.pull_max}`),
      v.metadata({ description: `Records an answer: 1 to ${limits.pull_max}; default ${limits.pull_default}.` }),
    ),
    String(limits.pull_default),
  ),
  cursor: v.optional(v.pipe(v.string(), v.metadata({ description: 'The `cursor` of the snapshot’s page before.' }))),
})

/** Pull, change notifications and push (R3.3 to R3.10, D5, D6). */
export function syncRoutes({ records, streams, clock, random, meter }: Services): Route[] {
  return [
    route(
      {
        method: 'GET',
        path: '/api/sync/pull',
        tag: 'sync',
        summary: 'What changed since a version, or a snapshot',
        description:
          'With `since`: what changed behind that version, or 410 where the log no longer reaches back to it. Without: a snapshot of all live records, page by page.',
        access: 'user',
        query: PullQuery,
        answers: { 200: { description: 'Changes in version order, or a page of the snapshot.', schema: PullAnswer } },
        problems: ['invalid_since', 'invalid_cursor', 'sync_stale'],
      },
      async ({ identity, query: { since, limit, cursor } }) => {
        const outcome =
          since === undefined
            ? await pullSnapshot(records, clock, identity.user, cursor, limit)
            : await pullSince(records, clock, identity.user, readSince(since), limit)
        meter.pulled(outcome.outcome === 'answer' ? (since === undefined ? 'snapshot' : 'changes') : outcome.outcome)
        return { status: 200, body: bodyOf(outcome) }
      },
    ),
    route(
      {
        method: 'GET',
        path: '/api/sync/digest',
        tag: 'sync',
        summary: 'What is live, in short',
        description:
          'How many live records of each kind there are at a version, and 64 bits of what they are. A client that has the same version with the same tag, and another digest, does not hold what the service has.',
        access: 'user',
        answers: { 200: { description: 'Count and digest of each kind.', schema: DigestAnswer } },
        problems: ['unavailable'],
      },
      async ({ identity }) => {
        const found = await digestsOf(records, identity.user)
        if (!found) throw new ProblemError('unavailable', 'The account is being written to: ask again later.')
        return json(200, { ...found.point, kinds: found.digests })
      },
    ),
    route(
      {
        method: 'GET',
        path: '/api/sync/events',
        tag: 'sync',
        summary: 'Change notifications, as server-sent events',
        description:
          'At once and after changes, `event: version` with `data: {"version": N}`: what a pull leads to now. Of changes in quick succession only the last is told. Ends with the session or token, and when the service stops.',
        access: 'user',
        answers: { 200: { description: 'Events until either side ends them.', contentType: 'text/event-stream' } },
        problems: ['rate_limited'],
      },
      async ({ identity }) => ({
        status: 200,
        // Proxies hold back what they take for a page.
        headers: { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' },
        stream: await streams.open(identity),
      }),
    ),
    route(
      {
        method: 'POST',
        path: '/api/sync/push',
        tag: 'sync',
        summary: 'Apply queued changes',
        description: `At most ${limits.push_changes} changes. One result each, in order; a bad one does not stop its neighbours.`,
        access: 'user',
        body: PushEnvelope,
        documentedBody: v.object({ device: v.optional(Uuid), changes: v.array(PushChange) }),
        maxBodyBytes: limits.push_bytes,
        answers: { 200: { description: 'What became of each change.', schema: PushAnswer } },
      },
      async ({ identity, body: { device, changes } }) => {
        if (changes.length > limits.push_changes) {
          throw new ProblemError('payload_too_large', `A push has at most ${limits.push_changes} changes.`)
        }
        const context = { user: identity.user, nowMs: clock.now(), random }
        return json(200, await push(records, { device, changes }, context, meter))
      },
    ),
  ]
}

function readSince(text: string): number {
  const since = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN
  if (Number.isSafeInteger(since)) return since
  throw new ProblemError('invalid_since', 'since must be a whole number from 0 to 2^53 − 1.', {
    errors: [{ pointer: '/since', detail: 'must be a whole number from 0 to 2^53 − 1' }],
  })
}

function bodyOf(outcome: PullOutcome): string {
  switch (outcome.outcome) {
    case 'answer':
      return outcome.body
    case 'stale':
      throw new ProblemError(
        'sync_stale',
        `The log begins after version ${outcome.marker.version}: pull a snapshot instead.`,
      )
    case 'invalid_cursor':
      throw new ProblemError('invalid_cursor', 'The cursor does not fit what is stored now: begin the snapshot again.')
  }
}
