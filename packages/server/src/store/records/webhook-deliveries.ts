import {
  balanceChangeOf,
  type DurationMs,
  type EpochMs,
  type Instant,
  instantOf,
  type ReplacedFields,
  type UserNumber,
  type WebhookEvent,
  type WebhookEventType,
  webhookEventOf,
} from '@saldo/core'
import { readColumn } from '../json-columns.ts'
import type { Insert, SqlValue, SqlWriter } from '../sql.ts'
import type { HrOfCompany } from '../store.ts'

/** The most deliveries of a webhook that wait; the oldest give way (D22.14). */
const MAX_WAITING = 1_000

/** A replaced record with its version. */
export type ReplacedRecordFields = ReplacedFields & { version: number }

interface Message extends WebhookEvent {
  id: string
  /** The company whose event it is; null for those of the user's own account. */
  company: number | null
}

const deliveryRows: Insert = {
  into: `webhook_deliveries (user_id, webhook_id, company_id, message_id, type, payload, created_at, state, due_ms,
    attempts)`,
  types: ['BIGINT', 'TEXT', 'BIGINT', 'TEXT', 'TEXT', 'TEXT', 'TEXT', 'TEXT', 'BIGINT', 'BIGINT'],
}

/**
 * Stores deliveries of what a change of records did, in its transaction, for the webhooks that ask for it (D22.4). Most
 * changes, such as those of work, are no event and cost nothing. `tag` is that of the transaction's log rows.
 */
export async function storeDeliveries(
  sql: SqlWriter,
  user: UserNumber,
  replaced: readonly ReplacedRecordFields[],
  { tag, nowMs, readBalance }: { tag: string; nowMs: EpochMs; readBalance: () => Promise<DurationMs> },
): Promise<void> {
  const messages = replaced.flatMap((record): Message[] => {
    const event = webhookEventOf(record)
    return event ? [{ ...event, company: null, id: `msg_${tag}_${record.version}` }] : []
  })
  const isBalanceChanged = balanceChangeOf(replaced) !== 0
  if (messages.length === 0 && !isBalanceChanged) return
  // Locked, so that none is deleted before its deliveries are stored.
  const webhooks = await sql.all<{ id: string; events: string }>(
    `SELECT id, events FROM webhooks WHERE user_id = $1 AND disabled IS NULL ORDER BY id
     ${sql.dialect.locking('FOR UPDATE')}`,
    [user],
  )
  const subscriptions = webhooks.map(({ id, events }) => ({ id, wanted: readColumn('events', events) }))
  if (isBalanceChanged && subscriptions.some(({ wanted }) => wanted.includes('balance.changed'))) {
    messages.push(balanceMessage(await readBalance(), replaced, tag))
  }
  for (const { id, wanted } of subscriptions) {
    const ofWebhook = messages.filter(({ type }) => wanted.includes(type))
    await addDeliveries(sql, user, id, ofWebhook, nowMs)
  }
}

/**
 * Stores deliveries of events of a company for the webhooks of its HR that ask for them, in the transaction of the user
 * to whom they happened. `tag` is that of no other events.
 */
export async function storeCompanyDeliveries(
  sql: SqlWriter,
  { company, hrs }: HrOfCompany,
  events: readonly WebhookEvent[],
  { tag, nowMs }: { tag: string; nowMs: EpochMs },
): Promise<void> {
  if (events.length === 0 || hrs.length === 0) return
  // All of them are locked, in one order, so that two transactions never wait for each other.
  const webhooks = await sql.all<{ user: UserNumber; id: string; events: string }>(
    `SELECT user_id AS "user", id, events FROM webhooks
     WHERE user_id IN (SELECT CAST(item AS BIGINT) FROM ${sql.dialect.eachOf('$1')}) AND disabled IS NULL
     ORDER BY user_id, id${sql.dialect.locking('FOR UPDATE')}`,
    [hrs.map(String)],
  )
  const messages = events.map((event, index): Message => ({ ...event, company, id: `msg_${tag}_${index}` }))
  for (const { user, id, events: asked } of webhooks) {
    const wanted = readColumn('events', asked)
    const ofWebhook = messages.filter(({ type }) => wanted.includes(type))
    await addDeliveries(sql, user, id, ofWebhook, nowMs)
  }
}

/** Stores deliveries of a webhook. A new balance replaces one that waits, and the oldest give way to the new. */
async function addDeliveries(
  sql: SqlWriter,
  user: UserNumber,
  webhookId: string,
  messages: readonly Message[],
  nowMs: EpochMs,
): Promise<void> {
  if (messages.length === 0) return
  if (messages.some(({ type }) => type === 'balance.changed')) {
    await sql.run(
      `DELETE FROM webhook_deliveries
       WHERE user_id = $1 AND webhook_id = $2 AND state = 'waiting' AND type = 'balance.changed'`,
      [user, webhookId],
    )
  }
  const at = instantOf(nowMs)
  await sql.insertEach(
    deliveryRows,
    messages.map((message) => deliveryRow(user, webhookId, message, { at, dueMs: nowMs })),
  )
  await sql.run(
    `DELETE FROM webhook_deliveries WHERE id IN (
       SELECT id FROM webhook_deliveries WHERE user_id = $1 AND webhook_id = $2 AND state = 'waiting'
       ORDER BY id DESC LIMIT 1000000 OFFSET ${MAX_WAITING})`,
    [user, webhookId],
  )
}

/** Stores a `ping`, which only its webhook gets (D22.15). */
export async function addPing(
  sql: SqlWriter,
  user: UserNumber,
  webhookId: string,
  messageId: string,
  nowMs: EpochMs,
): Promise<void> {
  const ping = { type: 'ping', data: {}, company: null, id: messageId } as const
  const row = deliveryRow(user, webhookId, ping, { at: instantOf(nowMs), dueMs: nowMs })
  await sql.insertEach(deliveryRows, [row])
}

function deliveryRow(
  user: UserNumber,
  webhookId: string,
  { id, company, type, data }: Omit<Message, 'type'> & { type: WebhookEventType | 'ping' },
  { at, dueMs }: { at: Instant; dueMs: EpochMs },
): SqlValue[] {
  const payload = JSON.stringify({ type, timestamp: at, user_id: user, data })
  return [user, webhookId, company, id, type, payload, at, 'waiting', dueMs, 0]
}

function balanceMessage(balanceMs: DurationMs, replaced: readonly ReplacedRecordFields[], tag: string): Message {
  const version = Math.max(...replaced.map((record) => record.version))
  const data = { balance_ms: balanceMs }
  return { type: 'balance.changed', data, company: null, id: `msg_${tag}_${version}_balance` }
}
