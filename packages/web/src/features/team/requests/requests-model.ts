import type { OwnRequest, RequestEntry } from '@saldo/core'

/** The state of a request as its user sees it; `unsent` and `unknown` until the service has it, and has been asked. */
export type ShownState = OwnRequest['state'] | 'unsent' | 'unknown'

export interface ShownRequest {
  record: RequestEntry
  state: ShownState
  /** The service's answer about it; `undefined` until it has one. */
  known: OwnRequest | undefined
}

type Row = { record: RequestEntry; pending: boolean }

const urgency: Record<ShownState, number> = {
  unsent: 0,
  unknown: 0,
  waiting: 0,
  waiting_for_hr: 0,
  declined: 1,
  approved: 1,
  withdrawn: 2,
}

/** Returns the requests of a user: those that wait first, each group by their dates, the latest first. */
export function shownRequests(rows: readonly Row[], known: readonly OwnRequest[]): ShownRequest[] {
  const knownById = new Map(known.map((request) => [request.id, request]))
  return rows
    .map(({ record, pending }): ShownRequest => {
      const request = knownById.get(record.id)
      return { record, known: request, state: pending ? 'unsent' : (request?.state ?? 'unknown') }
    })
    .toSorted((a, b) => urgency[a.state] - urgency[b.state] || b.record.date.localeCompare(a.record.date))
}

/** True if a request can still be withdrawn: it has no final decision (D26.2). */
export function isWithdrawable(state: ShownState): boolean {
  return urgency[state] === 0
}
