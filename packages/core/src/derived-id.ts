import { v5 } from 'uuid'

/** The namespace of all ids that Saldo derives (RFC 9562 §5.5). */
const NAMESPACE = '6f1d0f1c-6a53-4d0e-9a7c-5a1d05a1d001'

/**
 * The id of a closed day or week: the same on every node and after every restore, derived from the user and the date
 * or week (D2).
 */
export function closingId(userId: number, dateOrWeek: string): string {
  return v5(`${userId}/closing/${dateOrWeek}`, NAMESPACE)
}

/**
 * The UUID of a settings row that had an integer id before (R2.2): the service's migration and a client's outbox
 * derive the same one, so that a queued edit finds its record (D7).
 */
export function settingsIdOf(userId: number, integerId: number): string {
  return v5(`${userId}/settings/${integerId}`, NAMESPACE)
}
