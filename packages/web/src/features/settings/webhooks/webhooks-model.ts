import { companyWebhookEvents, type WebhookDelivery, type WebhookEventType } from '@saldo/core'

/** The events of webhooks as the settings offer them. */
const groups = {
  week: ['week.closed'],
  day: ['day.closed'],
  balance: ['balance.changed'],
  absences: ['absence.created', 'absence.changed', 'absence.deleted'],
  company: companyWebhookEvents,
} as const satisfies Record<string, readonly WebhookEventType[]>
export type EventGroup = keyof typeof groups

export const eventGroups = Object.keys(groups) as EventGroup[]

/** Returns the groups of which a webhook has any event. */
export function eventGroupsOf(events: readonly WebhookEventType[]): EventGroup[] {
  return eventGroups.filter((group) => groups[group].some((type) => events.includes(type)))
}

/** Returns all events of groups. */
export function eventsOf(chosen: readonly EventGroup[]): WebhookEventType[] {
  return eventGroups.filter((group) => chosen.includes(group)).flatMap((group) => groups[group])
}

/** The outcome of a delivery: the key of its text, and why its last attempt failed. */
interface DeliveryOutcome {
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
