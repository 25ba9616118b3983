import { LAST_DATE, type LocalDate, type Membership, visibleDates } from '@saldo/core'

/** True if a membership was accepted and holds on a date. */
export function isMemberOn(membership: Membership, date: LocalDate): boolean {
  const dates = visibleDates(membership, LAST_DATE)
  return dates !== undefined && dates.from <= date && date <= dates.to
}
