import { type Clock, instantOf, MINUTE_MS, type UserNumber } from '@saldo/core'
import type { Meter } from '../meter.ts'
import type { NodeShare } from '../store/store.ts'
import type { DueDelivery } from '../store/users/webhooks.ts'
import { post } from './post.ts'
import { stateAfterAttempt } from './retries.ts'
import { signedHeaders } from './signature.ts'
import type { Webhooks } from './webhooks.ts'

/** The most attempts at once at a node, which wait for receivers; of one user, two, and of one webhook, one. */
const MAX_AT_ONCE = 64
const MAX_PER_USER = 2
const TIME_LIMIT_MS = 10_000
/** Another node takes over an attempt that has not ended by then, since its process must have ended. */
const LEASE_MS = MINUTE_MS
/** Enough to find one of another webhook among several of one. */
const DUE_PER_QUERY = 20

interface SenderOptions {
  webhooks: Webhooks
  clock: Clock
  meter: Meter
  /** Returns the users for whom this node looks; all without it. */
  share?: () => NodeShare
  /** Hosts that may have any address, and be reached by `http:`. */
  privateHosts: readonly string[]
  /** True if a user may still get an event: one of a company needs a role of HR there (D22.16). */
  mayGet: (delivery: Pick<DueDelivery, 'user' | 'company'>) => Promise<boolean>
  onDisabled: (user: UserNumber, reason: string) => void
  /** Called if the store fails. The delivery is due again later. */
  onFailure: (error: unknown) => void
  /** Of one attempt; 10 s by default. */
  timeLimitMs?: number
}

/** Sends due deliveries, outside of all transactions, each webhook's one after another and all webhooks in turn. */
export class WebhookSender {
  readonly #options: SenderOptions
  readonly #stopped = new AbortController()
  readonly #workers = new Set<Promise<void>>()
  #running: Promise<void> | undefined
  /** The users of the webhooks to which an attempt is in progress, by webhook. */
  readonly #busy = new Map<string, UserNumber>()
  /** In each round, every webhook with due deliveries gets one, however many some of them have. */
  readonly #servedInRound = new Set<string>()

  constructor(options: SenderOptions) {
    this.#options = options
  }

  /** Sends until nothing is due. A call during a run adds to it and returns it. It never throws. */
  sendDue(): Promise<void> {
    this.#addWorker()
    this.#running ??= this.#untilDone().finally(() => {
      this.#running = undefined
    })
    return this.#running
  }

  /** Ends the attempts in progress, which are due again after the next start. */
  async stop(): Promise<void> {
    this.#stopped.abort()
    await this.#untilDone()
  }

  async #untilDone(): Promise<void> {
    while (this.#workers.size > 0) await Promise.all(this.#workers)
  }

  #addWorker(): void {
    if (this.#workers.size >= MAX_AT_ONCE) return
    const worker = this.#work()
      .catch(this.#options.onFailure)
      .finally(() => this.#workers.delete(worker))
    this.#workers.add(worker)
  }

  async #work(): Promise<void> {
    for (;;) {
      const next = await this.#takeNext()
      if (!next) return
      // While this attempt runs, another worker looks whether more is due.
      this.#addWorker()
      try {
        await this.#attempt(next)
      } finally {
        this.#busy.delete(next.webhookId)
      }
    }
  }

  /** Returns a due delivery of a webhook that is not busy, of a user with a share left; it is busy from then on. */
  async #takeNext(): Promise<DueDelivery | undefined> {
    const { webhooks, clock, share } = this.#options
    while (!this.#stopped.signal.aborted) {
      const except = { webhooks: new Set([...this.#busy.keys(), ...this.#servedInRound]), users: this.#busyUsers() }
      const found = await webhooks.store.due(clock.now(), DUE_PER_QUERY, except, share?.())
      // Another worker may have taken one meanwhile.
      const busyUsers = this.#busyUsers()
      const next = found.find(({ webhookId, user }) => !this.#busy.has(webhookId) && !busyUsers.has(user))
      if (next) {
        this.#busy.set(next.webhookId, next.user)
        this.#servedInRound.add(next.webhookId)
        return next
      }
      if (found.length > 0) continue
      if (this.#servedInRound.size === 0) return undefined
      this.#servedInRound.clear()
    }
    return undefined
  }

  /** The users whose share of the attempts is used up. */
  #busyUsers(): Set<UserNumber> {
    const attempts = Map.groupBy(this.#busy.values(), (user) => user)
    return new Set([...attempts].flatMap(([user, { length }]) => (length < MAX_PER_USER ? [] : [user])))
  }

  async #attempt(delivery: DueDelivery): Promise<void> {
    const { webhooks, clock, meter, mayGet, onDisabled } = this.#options
    if (!(await webhooks.store.claim(delivery, clock.now() + LEASE_MS))) return
    if (!(await mayGet(delivery))) return webhooks.store.drop(delivery)
    const startedMs = clock.now()
    const result = await this.#send(delivery)
    if (result === undefined) return
    const nowMs = clock.now()
    const attempt = { result, tookMs: nowMs - startedMs }
    const state = await webhooks.store.finish(delivery, { at: instantOf(nowMs), result }, (webhook) =>
      stateAfterAttempt(delivery, webhook, attempt, nowMs),
    )
    if (state) meter.triedWebhook(state.state)
    if (state?.disabled && delivery.type !== 'ping') onDisabled(delivery.user, state.disabled)
  }

  async #send({ url, sealedSecret, messageId, payload }: DueDelivery): Promise<string | undefined> {
    const { webhooks, clock, privateHosts, timeLimitMs = TIME_LIMIT_MS } = this.#options
    const secret = webhooks.unseal(sealedSecret)
    if (secret === undefined) return 'unusable_secret'
    const signed = signedHeaders(secret, { id: messageId, body: payload, nowMs: clock.now() })
    const headers = { ...signed, 'user-agent': 'Saldo' }
    return post({ url, headers, body: payload, privateHosts, timeLimitMs, signal: this.#stopped.signal })
  }
}
