import type { WebhookDelivery } from '@saldo/core'

/** The outcome of a delivery: the key of its text, and why its last attempt failed. */
export interface DeliveryOutcome {
  key: 'delivered' | 'failed' | 'notSent' | 'waiting' | 'again'
  problem: DeliveryProblem | undefined
}

/** The key of the text for a failed attempt, with its status if the receiver answered. */
interface DeliveryProblem {
  key: string
  status?: string
}

export function outcomeOf({
  state,
  result,
  next_attempt_at,
}: Pick<WebhookDelivery, 'state' | 'result' | 'next_attempt_at'>): DeliveryOutcome {
  const problem = result === null ? undefined : problemOf(result)
  if (state === 'delivered') return { key: 'delivered', problem }
  if (state === 'failed') return { key: problem ? 'failed' : 'notSent', problem }
  return { key: problem && next_attempt_at !== null ? 'again' : 'waiting', problem }
}

function problemOf(result: string): DeliveryProblem {
  return /^\d+$/.test(result) ? { key: 'status', status: result } : { key: result }
}

/** True if the service has not tried all deliveries yet, so that there is more to see soon. */
export function hasUntried(deliveries: readonly Pick<WebhookDelivery, 'state' | 'attempts'>[]): boolean {
  return deliveries.some(({ state, attempts }) => state === 'waiting' && attempts === 0)
}
