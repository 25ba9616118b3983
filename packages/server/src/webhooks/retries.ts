import { DAY_MS, type EpochMs, epochMs, HOUR_MS, instantOf, MINUTE_MS, type WebhookRow } from '@saldo/core'
import type { DeliveryState, DueDelivery } from '../store/users/webhooks.ts'

/** The times between the tries of a delivery: eight tries in some two days (D22.10). */
const RETRY_AFTER_MS = [
  ...[MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS],
  ...[2 * HOUR_MS, 6 * HOUR_MS, 14 * HOUR_MS, 24 * HOUR_MS],
]
/** After this time without a delivery, a failed attempt switches the webhook off (D22.11). */
const FAILING_MS = 5 * DAY_MS
/** After an attempt that failed or took long, the webhook's other deliveries wait this long (D22.13). */
const PAUSE_MS = MINUTE_MS
/** Receivers that take longer would keep sockets busy that others need. */
const SLOW_MS = 2_000

/** The end of an attempt: the HTTP status or the reason why there was none, and how long it took. */
export interface AttemptResult {
  result: string
  tookMs: number
}

/** Returns the state of a delivery and its webhook after an attempt (D22.9 to D22.11, D22.13). */
export function stateAfterAttempt(
  { type, attempts }: Pick<DueDelivery, 'type' | 'attempts'>,
  { failing_since, disabled }: Pick<WebhookRow, 'failing_since' | 'disabled'>,
  { result, tookMs }: AttemptResult,
  nowMs: EpochMs,
): DeliveryState {
  const othersWaitUntilMs = nowMs + PAUSE_MS
  if (/^2\d\d$/.test(result)) {
    const delivered = { state: 'delivered' as const, dueMs: null, failingSince: null, disabled: null }
    return tookMs > SLOW_MS ? { ...delivered, othersWaitUntilMs } : delivered
  }
  // A test tells of the receiver now, and has no other effect.
  if (type === 'ping') return { state: 'failed', dueMs: null, failingSince: failing_since, disabled }
  const failingSince = failing_since ?? instantOf(nowMs)
  const ended = { state: 'failed' as const, dueMs: null, failingSince }
  if (disabled !== null) return { ...ended, disabled }
  if (result === '410') return { ...ended, disabled: 'gone' }
  if (nowMs - epochMs(failingSince) >= FAILING_MS) return { ...ended, disabled: 'failing' }
  const retryAfterMs = RETRY_AFTER_MS[attempts]
  if (retryAfterMs === undefined) return { ...ended, disabled, othersWaitUntilMs }
  return { state: 'waiting', dueMs: nowMs + retryAfterMs, failingSince, disabled, othersWaitUntilMs }
}
