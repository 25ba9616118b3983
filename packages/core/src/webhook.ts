import * as v from 'valibot'
import { type Entry, isAbsence, sizeOf } from './entry.ts'
import { type JsonObject, jsonEqual } from './json.ts'
import type { RecordOf } from './record.ts'
import type { RecordKind } from './record-kinds.ts'
import { InstantText, Uuid } from './validation.ts'
import type { DurationMs } from './values.ts'

/** The events of a company, which a webhook of its HR can ask for (D22.16). */
export const companyWebhookEvents = ['away.changed', 'request.waiting', 'request.decided'] as const

/** The events that a webhook can ask for (D22.5, D22.17). */
export const webhookEvents = [
  'day.closed',
  'week.closed',
  'balance.changed',
  'absence.created',
  'absence.changed',
  'absence.deleted',
  ...companyWebhookEvents,
] as const
/** One of `webhookEvents`. */
export type WebhookEventType = (typeof webhookEvents)[number]

/** True for an event of a company, which only its HR gets (D22.16). */
export function isCompanyEvent(type: WebhookEventType | 'ping'): boolean {
  return companyWebhookEvents.some((one) => one === type)
}

/** The most webhooks of a user (D22.1). */
export const MAX_WEBHOOKS = 5

/** `gone`: the receiver answered 410. `failing`: nothing was delivered for days (D22.11). */
const disabledReasons = ['gone', 'failing'] as const

/** A webhook, without its secret. It is switched off if `disabled` is not null. */
export const WebhookRow = v.object({
  id: Uuid,
  url: v.string(),
  events: v.array(v.picklist(webhookEvents)),
  created_at: InstantText,
  failing_since: v.pipe(
    v.nullable(InstantText),
    v.metadata({ description: 'The first failed attempt since the last delivery.' }),
  ),
  disabled: v.nullable(v.picklist(disabledReasons)),
})
export type WebhookRow = v.InferOutput<typeof WebhookRow>

/** A delivery as its user sees it. The log has no contents. */
export const WebhookDelivery = v.object({
  id: v.string(),
  type: v.picklist([...webhookEvents, 'ping']),
  created_at: InstantText,
  state: v.picklist(['waiting', 'delivered', 'failed']),
  attempts: v.pipe(v.number(), v.integer()),
  last_attempt_at: v.nullable(InstantText),
  next_attempt_at: v.nullable(InstantText),
  result: v.pipe(
    v.nullable(v.string()),
    v.metadata({
      description: 'Of the last attempt: the HTTP status, or `timeout`, `unreachable` or `unusable_secret`.',
    }),
  ),
})
export type WebhookDelivery = v.InferOutput<typeof WebhookDelivery>

/** Something that a change of records did, or that happened in a company, for webhooks. */
export interface WebhookEvent {
  type: WebhookEventType
  data: JsonObject
}

/** A live record before and after a change; null if there was none, or is none any more. */
export type ReplacedFields<K extends RecordKind = RecordKind> = {
  [P in K]: { kind: P; before: RecordOf<P> | null; after: RecordOf<P> | null }
}[K]

/** Returns the event of one replaced record, if it is one (D22.5). The balance follows from several records. */
export function webhookEventOf({ kind, before, after }: ReplacedFields): WebhookEvent | undefined {
  switch (kind) {
    case 'entries':
      return absenceEvent(absenceData(before), absenceData(after))
    case 'closed_days': {
      if (before || !after) return undefined
      const { date, target_ms, worked_ms, deducted_break_ms, credited_ms, delta_ms } = after
      return { type: 'day.closed', data: { date, target_ms, worked_ms, deducted_break_ms, credited_ms, delta_ms } }
    }
    case 'closed_weeks': {
      if (before || !after) return undefined
      const { week, start_date, delta_ms } = after
      return { type: 'week.closed', data: { week, start_date, delta_ms } }
    }
    default:
      return undefined
  }
}

function absenceEvent(before: JsonObject | null, after: JsonObject | null): WebhookEvent | undefined {
  if (!before) return after ? { type: 'absence.created', data: after } : undefined
  if (!after) return { type: 'absence.deleted', data: before }
  return jsonEqual(before, after) ? undefined : { type: 'absence.changed', data: after }
}

/** Returns what a webhook tells of an absence, without its words; null for other entries and public holidays. */
function absenceData(entry: Entry | null): JsonObject | null {
  if (!entry || !isAbsence(entry) || entry.kind === 'public_holiday') return null
  const { id, kind, date } = entry
  return { id, kind, date, ...sizeOf(entry) }
}

/** Returns by how much replaced records change the balance: closed weeks and adjustments make it up (R2.7). */
export function balanceChangeOf(replaced: readonly ReplacedFields[]): DurationMs {
  return replaced.reduce((sum, { kind, before, after }) => {
    if (kind !== 'closed_weeks' && kind !== 'balance_adjustments') return sum
    return sum + (after?.delta_ms ?? 0) - (before?.delta_ms ?? 0)
  }, 0)
}
