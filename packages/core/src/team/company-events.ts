import type { DateRange } from '../date-range.ts'
import type { RecordId, UserNumber } from '../values.ts'
import type { WebhookEvent } from '../webhook.ts'
import { shownText, type TeamFacts } from './facts.ts'
import type { DecisionOutcome } from './requests.ts'

/**
 * Returns the events for the webhooks of a company when the facts of a member change, null for none (D22.17). They
 * depend on what colleagues see, on the dates on which they see anything, and on whether requests of given dates wait:
 * facts that differ in kinds, sizes and messages alone give the same events (D25.6).
 */
export function companyEventsOf(
  user: UserNumber,
  {
    before,
    after,
    shownDates,
  }: { before: TeamFacts | null; after: TeamFacts | null; shownDates: readonly DateRange[] },
): WebhookEvent[] {
  const events: WebhookEvent[] = []
  if (shownText(before ?? noFacts, shownDates) !== shownText(after ?? noFacts, shownDates)) {
    events.push({ type: 'away.changed', data: { user_id: user } })
  }
  const waited = new Set(before?.requests.map(textOf))
  for (const { id, from, to } of after?.requests.filter((request) => !waited.has(textOf(request))) ?? []) {
    events.push({ type: 'request.waiting', data: { user_id: user, request_id: id, from, to } })
  }
  return events
}

/** Returns the event of a decided request; the first of two stages has none, since it would name the kind (D22.17). */
export function decisionEventOf(
  user: UserNumber,
  { id, from, to }: { id: RecordId } & DateRange,
  outcome: DecisionOutcome,
): WebhookEvent {
  return { type: 'request.decided', data: { user_id: user, request_id: id, from, to, outcome } }
}

const noFacts: TeamFacts = { absences: [], requests: [] }

function textOf({ id, from, to }: TeamFacts['requests'][number]): string {
  return `${id} ${from} ${to}`
}
