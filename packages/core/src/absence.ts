import type { DayEntryContent } from './record.ts'
import type { DurationMs } from './values.ts'

/** The fields of an absence that the account reads. */
export type Absence = Pick<DayEntryContent, 'kind' | 'day_share'>

/** A whole day in billionths, in which shares are counted so that every implementation rounds alike. */
export const WHOLE_DAY = 1_000_000_000n

/** The order in which absences of one date fill the day; shares beyond a whole day do not count (D3.13). */
const fillOrder = ['public_holiday', 'sick', 'vacation', 'paid_other', 'unpaid'] as const
const creditedKinds = new Set<string>(['sick', 'paid_other'])

/** Shares of a day in billionths that absences take, together at most a whole day. */
export interface AbsenceShares {
  /** Taken off the target: public holidays, vacation, unpaid leave. */
  reducing: bigint
  /** Credited up to the target: sickness and other paid absence. */
  crediting: bigint
}

/** Returns the sum of the shares of absences, in billionths of a day. */
export function sumShares(absences: readonly Absence[]): bigint {
  return absences.reduce((sum, { day_share }) => sum + BigInt(Math.round(day_share * Number(WHOLE_DAY))), 0n)
}

/** Returns the shares that the absences of one date take, filled in their order (D3.13, D3.14). */
export function absenceShares(absences: readonly Absence[]): AbsenceShares {
  const shares = { reducing: 0n, crediting: 0n }
  let left = WHOLE_DAY
  for (const kind of fillOrder) {
    const requested = sumShares(absences.filter((absence) => absence.kind === kind))
    const share = requested < left ? requested : left
    left -= share
    if (creditedKinds.has(kind)) shares.crediting += share
    else shares.reducing += share
  }
  return shares
}

/**
 * Returns target and credit of a date: with t the planned time, w the time worked and R and C the reducing and the
 * crediting share, `target = t·(1−R)` and `credited = max(0, t·C − max(0, w − t·(1−R−C)))`, products rounded half up
 * (D3.11, D3.12).
 */
export function targetAndCredit(
  plannedMs: DurationMs,
  workedMs: DurationMs,
  { reducing, crediting }: AbsenceShares,
): { targetMs: DurationMs; creditedMs: DurationMs } {
  const part = (share: bigint) => Number((BigInt(plannedMs) * share * 2n + WHOLE_DAY) / (2n * WHOLE_DAY))
  const beyondMs = Math.max(0, workedMs - part(WHOLE_DAY - reducing - crediting))
  return { targetMs: part(WHOLE_DAY - reducing), creditedMs: Math.max(0, part(crediting) - beyondMs) }
}
