import { isCompanyEvent, Uuid, WebhookDelivery, WebhookRow, webhookEvents } from '@saldo/core'
import * as v from 'valibot'
import { ProblemError } from '../http/problem.ts'
import { json, type Route, route } from '../http/route.ts'
import { HOUR_SECONDS, Throttle } from '../http/throttle.ts'
import { isAllowedUrl } from '../webhooks/addresses.ts'
import { PasswordOrPasskey, requireProof, takeOwnMail } from './guards.ts'
import type { RouteContext } from './route-context.ts'
import { requireTeam } from './team-query.ts'

/** The tests of a user's webhooks in an hour (D22.15). */
const TESTS_PER_HOUR = 30

const PATH = '/api/webhooks'
const common = { tag: 'webhooks', access: 'session' } as const
const WebhookId = v.object({ id: Uuid })
const NewWebhook = v.object({
  ...WebhookRow.entries,
  secret: v.pipe(v.string(), v.metadata({ description: 'Verifies deliveries (Standard Webhooks).' })),
})

/** Webhooks, which post events to other programs, and their deliveries. */
export function webhookRoutes(services: RouteContext): Route[] {
  const { webhooks, userAccounts, config, log, nameOf } = services
  const tests = new Throttle(TESTS_PER_HOUR, HOUR_SECONDS)
  return [
    route({
      ...common,
      endpoint: `GET ${PATH}`,
      summary: 'List webhooks',
      responses: {
        200: { description: 'The webhooks, newest first.', schema: v.object({ items: v.array(WebhookRow) }) },
      },
      handle: async ({ identity }) => json(200, { items: await webhooks.store.list(identity.user) }),
    }),
    route({
      ...common,
      endpoint: `POST ${PATH}`,
      summary: 'Create a webhook',
      description:
        'Needs `password`, or the `credential` of a passkey that has signed a challenge of ' +
        '`POST /api/auth/passkey/options`. The secret cannot be read again. Events of a company are for its HR.',
      body: v.object({
        ...PasswordOrPasskey.entries,
        url: v.pipe(v.string(), v.metadata({ description: 'An `https:` URL on the public internet.' })),
        events: v.pipe(
          v.array(v.picklist(webhookEvents)),
          v.minLength(1, 'must have an event'),
          v.maxLength(webhookEvents.length, 'must have each event once'),
        ),
      }),
      responses: { 201: { description: 'The webhook and its secret.', schema: NewWebhook } },
      problems: ['conflict', 'not_found', 'forbidden'],
      handle: async ({ identity, body: { url, events, ...proof }, headers }) => {
        const { user } = identity
        if (!isAllowedUrl(url, config.privateWebhookHosts)) {
          const detail = 'must be an https: URL on the public internet, or of a host that the operator allows'
          throw new ProblemError('invalid_request', 'The body is not valid.', { errors: [{ pointer: '/url', detail }] })
        }
        if (events.some(isCompanyEvent)) await requireTeam(services, identity, ['hr'])
        await requireProof(services, identity, proof, headers)
        await takeOwnMail(services, user)
        const created = await webhooks.create(user, url, [...new Set(events)])
        if (!created) throw new ProblemError('conflict', 'You have five webhooks. Delete one first.')
        userAccounts.tellOwnChange(user, 'own_webhook', headers)
        log.info({ user: nameOf(user) }, 'user created a webhook')
        return json(201, { ...created.webhook, secret: created.secret })
      },
    }),
    route({
      ...common,
      endpoint: `DELETE ${PATH}/{id}`,
      endsAccess: true,
      summary: 'Delete a webhook',
      params: WebhookId,
      responses: { 204: { description: 'Deleted, with what waited to be sent.' } },
      problems: ['not_found'],
      handle: async ({ identity, params }) => {
        if (await webhooks.store.remove(identity.user, params.id)) return { status: 204 }
        throw noWebhook()
      },
    }),
    route({
      ...common,
      endpoint: `POST ${PATH}/{id}/test`,
      summary: 'Send a test to a webhook',
      description: 'Sends a `ping`, once. If the receiver accepts it, a webhook that was switched off is on again.',
      params: WebhookId,
      responses: { 202: { description: 'The test will be sent; see the deliveries.' } },
      problems: ['not_found', 'rate_limited'],
      handle: async ({ identity, params }) => {
        await tests.take(identity.user)
        if (await webhooks.ping(identity.user, params.id)) return { status: 202 }
        throw noWebhook()
      },
    }),
    route({
      ...common,
      endpoint: `GET ${PATH}/{id}/deliveries`,
      summary: 'List the deliveries of a webhook',
      params: WebhookId,
      responses: {
        200: {
          description: 'The last 100 deliveries, newest first.',
          schema: v.object({ items: v.array(WebhookDelivery) }),
        },
      },
      problems: ['not_found'],
      handle: async ({ identity, params }) => {
        const items = await webhooks.store.deliveries(identity.user, params.id)
        if (items) return json(200, { items })
        throw noWebhook()
      },
    }),
  ]
}

function noWebhook(): ProblemError {
  return new ProblemError('not_found', 'This webhook does not exist.')
}
