import { instantOf, MAX_WEBHOOKS, type UserNumber, type WebhookEventType, type WebhookRow } from '@saldo/core'
import { WebhookStore } from '../store/users/webhooks.ts'
import type { AuthOptions } from '../users/auth-options.ts'
import { seal, unseal } from '../users/sealing.ts'
import { createWebhookSecret } from './signature.ts'

const PING_ID_BYTES = 12

type Options = Pick<AuthOptions, 'driver' | 'clock' | 'random' | 'secret'>

/** Webhooks, and the secrets that sign their deliveries. */
export class Webhooks {
  /** The stored webhooks, to be listed and deleted. */
  readonly store: WebhookStore
  readonly #options: Options

  constructor(options: Options) {
    this.#options = options
    this.store = new WebhookStore(options.driver)
  }

  /** Creates a webhook; `undefined` if the user has five already. The secret is stored sealed and not shown again. */
  async create(
    user: UserNumber,
    url: string,
    events: WebhookEventType[],
  ): Promise<{ webhook: WebhookRow; secret: string } | undefined> {
    const { clock, random } = this.#options
    const secret = createWebhookSecret(random)
    const created_at = instantOf(clock.now())
    const webhook = { id: random.uuid(), url, events, created_at, failing_since: null, disabled: null }
    const sealedSecret = seal(this.#options.secret, secret)
    return (await this.store.add(user, sealedSecret, webhook, MAX_WEBHOOKS)) ? { webhook, secret } : undefined
  }

  /** Stores a ping to be delivered; false if the user has no webhook with that id. */
  ping(user: UserNumber, id: string): Promise<boolean> {
    const { clock, random } = this.#options
    return this.store.ping(user, id, `msg_${random.token(PING_ID_BYTES)}`, clock.now())
  }

  /** Returns the secret; `undefined` if another secret of the service sealed it. */
  unseal(sealedSecret: string): string | undefined {
    return unseal(this.#options.secret, sealedSecret)
  }
}
