import type { DayEntryContent } from './record.ts'
import type { DurationMs } from './values.ts'

/** What the account reads of an absence. */
export type Absence = Pick<DayEntryContent, 'kind' | 'day_share'>

/** Shares are counted in billionths of a day, so that every implementation rounds alike. */
const WHOLE = 1_000_000_000n

/** The order in which absences of one date fill the day; what is beyond a whole day does not count (D3). */
const fillOrder = ['public_holiday', 'sick', 'vacation', 'paid_other', 'unpaid'] as const
const credits = new Set<string>(['sick', 'paid_other'])

/** What a date's absences do to it: shares of the day in billionths, together at most a whole day. */
export interface AbsenceShares {
  /** Taken off the target: public holidays, vacation, unpaid leave. */
  reducing: bigint
  /** Credited up to the target: sickness and other paid absence. */
  crediting: bigint
}

export function absenceShares(absences: readonly Absence[]): AbsenceShares {
  const shares = { reducing: 0n, crediting: 0n }
  let left = WHOLE
  for (const kind of fillOrder) {
    const wanted = absences
      .filter((absence) => absence.kind === kind)
      .reduce((sum, { day_share }) => sum + BigInt(Math.round(day_share * Number(WHOLE))), 0n)
    const share = wanted < left ? wanted : left
    left -= share
    if (credits.has(kind)) shares.crediting += share
    else shares.reducing += share
  }
  return shares
}

/**
 * Target and credit of a date, in milliseconds: with t the day's planned time and w the time worked,
 * `target = t·(1−R)` and `credited = max(0, t·C − max(0, w − t·(1−R−C)))`, products rounded half up (D3).
 */
export function targetAndCredit(plannedMs: DurationMs, workedMs: DurationMs, { reducing, crediting }: AbsenceShares) {
  const part = (share: bigint) => Number((BigInt(plannedMs) * share * 2n + WHOLE) / (2n * WHOLE))
  const beyond = Math.max(0, workedMs - part(WHOLE - reducing - crediting))
  return { targetMs: part(WHOLE - reducing), creditedMs: Math.max(0, part(crediting) - beyond) }
}
