/** The webhooks of a user. @module */
import type { UserNumber, WebhookDelivery, WebhookEventType, WebhookRow } from '@saldo/core'
import { ownAddress } from '../host/platform.ts'
import { fetchTransport, type Transport } from '../host/transport.ts'
import { request } from './request.ts'

const PATH = '/api/webhooks'

/** The webhooks of a user. */
export type Webhooks = ReturnType<typeof webhooksOf>

/** Returns the webhooks of a user of the page's own service. All methods throw `OfflineError` and `RejectedError`. */
export function webhooksOf(user: UserNumber, transport: Transport = fetchTransport({ url: ownAddress(), user })) {
  const one = (id: string) => `${PATH}/${encodeURIComponent(id)}`
  const items = async <T>(path: string) => (await request<{ items: T[] }>(transport, 'GET', path)).items
  return {
    /** Returns the webhooks, the newest first. */
    list: () => items<WebhookRow>(PATH),
    /**
     * Returns the secret, which cannot be shown again. `proof` is the password, or what a passkey made of the options
     * of `passkeySignIn`. Throws `RejectedError`: `forbidden` if it is wrong, `invalid_request` at `/url` for an
     * address that webhooks may not call, `conflict` for one too many.
     */
    create: async (
      webhook: { url: string; events: readonly WebhookEventType[] },
      proof: { password: string } | { credential: object },
    ): Promise<string> => (await request<{ secret: string }>(transport, 'POST', PATH, { ...webhook, ...proof })).secret,
    remove: (id: string) => request(transport, 'DELETE', one(id)),
    /** Has the service send a `ping` soon. */
    test: (id: string) => request(transport, 'POST', `${one(id)}/test`),
    /** Returns the last deliveries, at most 100, the newest first. */
    deliveries: (id: string) => items<WebhookDelivery>(`${one(id)}/deliveries`),
  }
}
