import type { WebhookEventType } from '@saldo/core'

/** The events of webhooks as the settings offer them. */
const groups = {
  week: ['week.closed'],
  day: ['day.closed'],
  balance: ['balance.changed'],
  absences: ['absence.created', 'absence.changed', 'absence.deleted'],
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
