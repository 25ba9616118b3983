import {
  type EpochMs,
  type Instant,
  instantOf,
  type UserNumber,
  type WebhookDelivery,
  type WebhookRow,
} from '@saldo/core'
import { readColumn } from '../json-columns.ts'
import { addPing } from '../records/webhook-deliveries.ts'
import type { SqlDriver, SqlWriter } from '../sql.ts'
import { ALL_USERS } from '../store.ts'

/** The deliveries of a webhook that its log keeps once they have ended (D22.14). */
const MAX_ENDED = 100

/** A delivery whose next attempt is due, with what sending it needs. */
export interface DueDelivery {
  id: number
  user: UserNumber
  webhookId: string
  /** The company whose event it is; null for those of the user's own account. */
  company: number | null
  messageId: string
  type: WebhookDelivery['type']
  payload: string
  dueMs: EpochMs
  /** The attempts before this one. */
  attempts: number
  url: string
  sealedSecret: string
}

/** The state of a webhook and of one of its deliveries. */
export interface DeliveryState {
  state: WebhookDelivery['state']
  /** Null once the delivery has ended. */
  dueMs: EpochMs | null
  failingSince: Instant | null
  disabled: WebhookRow['disabled']
  /** The webhook's other deliveries wait until then, if it is given. */
  othersWaitUntilMs?: EpochMs
}

/** An attempt that ended: the HTTP status, or why there was none. */
export interface EndedAttempt {
  at: Instant
  result: string
}

type StoredRow = Omit<WebhookRow, 'events'> & { events: string }

type StoredDelivery = Omit<WebhookDelivery, 'next_attempt_at'> & { due_ms: EpochMs | null }

/** The webhooks of users, with sealed secrets, and the deliveries that `UserWriter.put` stores for them. */
export class WebhookStore {
  readonly #driver: SqlDriver

  constructor(driver: SqlDriver) {
    this.#driver = driver
  }

  /** Adds a webhook; false if the user has `limit` already. */
  add(user: UserNumber, sealedSecret: string, webhook: WebhookRow, limit: number): Promise<boolean> {
    return this.#driver.write(async (sql) => {
      // Locked, so that of several at once no more than the limit are added.
      await sql.all(`SELECT id FROM users WHERE id = $1${sql.dialect.locking('FOR UPDATE')}`, [user])
      const existing = await sql.all('SELECT id FROM webhooks WHERE user_id = $1', [user])
      if (existing.length >= limit) return false
      const { id, url, events, created_at } = webhook
      await sql.run(
        `INSERT INTO webhooks (user_id, id, url, events, sealed_secret, created_at) VALUES ($1, $2, $3, $4, $5, $6)`,
        [user, id, url, JSON.stringify(events), sealedSecret, created_at],
      )
      return true
    })
  }

  /** Returns the user's webhooks, the newest first. */
  async list(user: UserNumber): Promise<WebhookRow[]> {
    const rows = await this.#driver.all<StoredRow>(
      `SELECT id, url, events, created_at, failing_since, disabled FROM webhooks
       WHERE user_id = $1 ORDER BY created_at DESC, id`,
      [user],
    )
    return rows.map((row) => ({ ...row, events: readColumn('events', row.events) }))
  }

  /** Deletes a webhook with its deliveries; false if the user has no webhook with that id. */
  async remove(user: UserNumber, id: string): Promise<boolean> {
    return (await this.#driver.run('DELETE FROM webhooks WHERE user_id = $1 AND id = $2', [user, id])) > 0
  }

  /** Returns the deliveries of a webhook, the newest first; `undefined` if the user has no webhook with that id. */
  deliveries(user: UserNumber, id: string): Promise<WebhookDelivery[] | undefined> {
    return this.#driver.read(async (sql) => {
      const found = await sql.all('SELECT id FROM webhooks WHERE user_id = $1 AND id = $2', [user, id])
      if (found.length === 0) return undefined
      const rows = await sql.all<StoredDelivery>(
        `SELECT message_id AS id, type, created_at, state, attempts, last_attempt_at, due_ms, result
         FROM webhook_deliveries WHERE user_id = $1 AND webhook_id = $2
         ORDER BY webhook_deliveries.id DESC LIMIT ${MAX_ENDED}`,
        [user, id],
      )
      return rows.map(({ due_ms, ...row }) => ({ ...row, next_attempt_at: due_ms === null ? null : instantOf(due_ms) }))
    })
  }

  /** Stores a ping to be delivered; false if the user has no webhook with that id. */
  ping(user: UserNumber, id: string, messageId: string, nowMs: EpochMs): Promise<boolean> {
    return this.#driver.write(async (sql) => {
      if (!(await lockWebhook(sql, user, id))) return false
      await addPing(sql, user, id, messageId, nowMs)
      return true
    })
  }

  /** Returns due deliveries of a share of the users, the longest due first, without some webhooks and users. */
  due(
    nowMs: EpochMs,
    limit: number,
    except: { webhooks: Iterable<string>; users: Iterable<UserNumber> },
    share = ALL_USERS,
  ): Promise<DueDelivery[]> {
    const { eachOf } = this.#driver.dialect
    return this.#driver.all<DueDelivery>(
      `SELECT d.id, d.user_id AS "user", webhook_id AS "webhookId", company_id AS company, message_id AS "messageId", type, payload,
         due_ms AS "dueMs", attempts, url, sealed_secret AS "sealedSecret"
       FROM webhook_deliveries d JOIN webhooks w ON w.user_id = d.user_id AND w.id = d.webhook_id
         JOIN users ON users.id = d.user_id AND deactivated_at IS NULL
       WHERE due_ms <= $1 AND d.user_id % CAST($5 AS BIGINT) = $6
         AND NOT EXISTS (SELECT 1 FROM ${eachOf('$3')} WHERE item = webhook_id)
         AND NOT EXISTS (SELECT 1 FROM ${eachOf('$4')} WHERE item = CAST(d.user_id AS TEXT))
       ORDER BY due_ms, d.id LIMIT $2`,
      [nowMs, limit, [...except.webhooks], [...except.users].map(String), share.of, share.index],
    )
  }

  /**
   * Begins an attempt, which counts from now on. Until `leaseEndMs` it is nobody else's; after that, the process has
   * ended and the delivery is due again. False if another node has it, it is gone, or its user was deactivated.
   */
  async claim({ id, dueMs }: DueDelivery, leaseEndMs: EpochMs): Promise<boolean> {
    const claimed = await this.#driver.run(
      `UPDATE webhook_deliveries SET due_ms = $3, attempts = attempts + 1
       WHERE id = $1 AND due_ms = $2
         AND EXISTS (SELECT 1 FROM users WHERE users.id = user_id AND deactivated_at IS NULL)`,
      [id, dueMs, leaseEndMs],
    )
    return claimed > 0
  }

  /** Deletes a delivery that its user may no longer get. */
  async drop({ id }: DueDelivery): Promise<void> {
    await this.#driver.run('DELETE FROM webhook_deliveries WHERE id = $1', [id])
  }

  /**
   * Stores how an attempt ended, by a decision on the webhook's state; a delivery that another node ended meanwhile
   * stays ended. Returns the decision; `undefined` if the webhook is gone.
   */
  finish(
    delivery: DueDelivery,
    { at, result }: EndedAttempt,
    decide: (webhook: Pick<WebhookRow, 'failing_since' | 'disabled'>) => DeliveryState,
  ): Promise<DeliveryState | undefined> {
    const { id, user, webhookId } = delivery
    return this.#driver.write(async (sql) => {
      const webhook = await lockWebhook(sql, user, webhookId)
      if (!webhook) return undefined
      const { state, dueMs, failingSince, disabled, othersWaitUntilMs } = decide(webhook)
      await sql.run(
        `UPDATE webhook_deliveries
         SET state = $2, due_ms = CAST($3 AS BIGINT), last_attempt_at = $4, result = $5,
           payload = CASE WHEN CAST($3 AS BIGINT) IS NULL THEN '' ELSE payload END
         WHERE id = $1 AND state = 'waiting'`,
        [id, state, dueMs, at, result],
      )
      await sql.run('UPDATE webhooks SET failing_since = $3, disabled = $4 WHERE user_id = $1 AND id = $2', [
        user,
        webhookId,
        failingSince,
        disabled,
      ])
      if (disabled !== null) await endWaiting(sql, user, webhookId)
      else if (othersWaitUntilMs !== undefined) await postpone(sql, user, webhookId, othersWaitUntilMs)
      await forgetOldest(sql, user, webhookId)
      return { state, dueMs, failingSince, disabled }
    })
  }
}

async function lockWebhook(
  sql: SqlWriter,
  user: UserNumber,
  id: string,
): Promise<Pick<WebhookRow, 'failing_since' | 'disabled'> | undefined> {
  const [row] = await sql.all<Pick<WebhookRow, 'failing_since' | 'disabled'>>(
    `SELECT failing_since, disabled FROM webhooks WHERE user_id = $1 AND id = $2${sql.dialect.locking('FOR UPDATE')}`,
    [user, id],
  )
  return row
}

async function endWaiting(sql: SqlWriter, user: UserNumber, webhookId: string): Promise<void> {
  await sql.run(
    `UPDATE webhook_deliveries SET state = 'failed', due_ms = NULL, payload = ''
     WHERE user_id = $1 AND webhook_id = $2 AND state = 'waiting'`,
    [user, webhookId],
  )
}

async function postpone(sql: SqlWriter, user: UserNumber, webhookId: string, untilMs: EpochMs): Promise<void> {
  await sql.run(
    `UPDATE webhook_deliveries SET due_ms = $3
     WHERE user_id = $1 AND webhook_id = $2 AND state = 'waiting' AND due_ms < $3`,
    [user, webhookId, untilMs],
  )
}

async function forgetOldest(sql: SqlWriter, user: UserNumber, webhookId: string): Promise<void> {
  await sql.run(
    `DELETE FROM webhook_deliveries WHERE id IN (
       SELECT id FROM webhook_deliveries WHERE user_id = $1 AND webhook_id = $2 AND state <> 'waiting'
       ORDER BY id DESC LIMIT 1000000 OFFSET ${MAX_ENDED})`,
    [user, webhookId],
  )
}
