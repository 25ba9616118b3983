import { utcDate } from '../date.ts'
import { type DateRange, haveDate } from '../date-range.ts'
import { canonicalJson } from '../digest.ts'
import { epochMs } from '../instant.ts'
import type { Instant, UserNumber } from '../values.ts'

/**
 * The events of the trail of one account (D29.2): changes by others, requests and decisions, states of months, looks,
 * exports, and own changes of dates that are submitted, locked or more than 7 days past. It is no log of keystrokes.
 */
export const accountEvents = [
  'month_submitted',
  'month_withdrawn',
  'month_returned',
  'month_locked',
  'month_reopened',
  'request_decided',
  'change_proposed',
  'change_answered',
  'change_withdrawn',
  'change_applied',
  'own_change',
  'days_read',
  'sheet_read',
  'trail_read',
  'exported',
  'remark_added',
  'remark_removed',
] as const
export type AccountEvent = (typeof accountEvents)[number]

/** The content of a row of an account's trail. */
export interface AccountTrailContent {
  number: number
  at: Instant
  /** Null for the service itself. */
  actor: UserNumber | null
  kind: AccountEvent
  data: Record<string, unknown>
}

/** A row of an account's trail; `previous` is the hash of the row before, which the row's own hash covers (D29.4). */
export interface AccountTrailEntry extends AccountTrailContent {
  previous: string
  hash: string
}

/** A row of a trail by its number and its hash: 0 and empty before the first. */
export interface TrailPosition {
  number: number
  hash: string
}

/** Returns the text that the hash of a row is of. */
export function trailText({ number, at, actor, kind, data }: AccountTrailContent, previous: string): string {
  return canonicalJson({ number, at, actor, kind, data, previous })
}

/** The place where a chain of trail rows is broken; `undefined` if it is whole. */
export type TrailFault = { number: number; why: 'missing' | 'changed' | 'cut_off' } | undefined

/**
 * Checks the rows of a trail in order: each follows the one before, has the hash of its content, and the last one is
 * the one that the counter names (D29.4). A chain begins behind a checkpoint where earlier rows have gone by themselves
 * (D29.7). Returns the first fault.
 */
export function trailFault(
  rows: readonly AccountTrailEntry[],
  { first, last }: { first: TrailPosition; last: TrailPosition },
  hashOf: (text: string) => string,
): TrailFault {
  let before: TrailPosition = first
  for (const row of rows) {
    if (row.number !== before.number + 1) return { number: before.number + 1, why: 'missing' }
    if (row.previous !== before.hash || hashOf(trailText(row, before.hash)) !== row.hash) {
      return { number: row.number, why: 'changed' }
    }
    before = row
  }
  return before.number === last.number && before.hash === last.hash
    ? undefined
    : { number: before.number + 1, why: 'cut_off' }
}

/**
 * Returns whether a trail still holds the row that a device has seen, by its rows from there on and its last one
 * (D29.4): `cut_off` if it ends before that row, `rewritten` if another one has its number. A row that has gone by
 * itself with the earlier ones is no fault (D29.7).
 */
export function seenTrailState(
  seen: TrailPosition,
  rows: readonly TrailPosition[],
  last: TrailPosition,
): 'held' | 'cut_off' | 'rewritten' {
  if (last.number < seen.number) return 'cut_off'
  const row = [last, ...rows].find(({ number }) => number === seen.number)
  return row === undefined || row.hash === seen.hash ? 'held' : 'rewritten'
}

/**
 * True if a company sees a row that was written for it in somebody's trail (D29.8): during the membership, or later
 * about a month of it. `memberDates` are the dates of the membership.
 */
export function isRowOfMembership(
  { at, data: { month } }: Pick<AccountTrailContent, 'at' | 'data'>,
  memberDates: readonly DateRange[],
): boolean {
  const date = utcDate(epochMs(at))
  if (haveDate(memberDates, date)) return true
  if (typeof month !== 'string') return false
  return memberDates.some(({ from, to }) => from.slice(0, 7) <= month && month <= to.slice(0, 7))
}
