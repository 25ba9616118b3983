import type { Saldo } from '@saldo/client'
import {
  type AdjustmentContent,
  type Cause,
  type ClosedWeek,
  type DurationMs,
  type EpochMs,
  epochMs,
  HOUR_MS,
  type IsoWeek,
  type LocalDate,
} from '@saldo/core'

/** Returns the part of a forecast balance that counts today: without adjustments that are dated later. */
export function currentBalanceMs(balance: { forecastMs: DurationMs; futureAdjustmentsMs: DurationMs }): DurationMs {
  return balance.forecastMs - balance.futureAdjustmentsMs
}

/** The largest adjustment of the balance that can be typed, in either direction. */
export const MAX_ADJUSTMENT_MS = 100_000 * HOUR_MS

/** Returns an expiry of another excess; `undefined` if there is no excess any more, so that it is deleted. */
export function adjustedExpiry(before: AdjustmentContent, excessMs: DurationMs): AdjustmentContent | undefined {
  return excessMs === 0 ? undefined : { ...before, delta_ms: 0 - excessMs }
}

/** Closes lost weeks again, then lost days: closing a week closes its days. Throws the first error of the service. */
export async function closeAgain(
  { weeks, days }: Pick<Saldo, 'weeks' | 'days'>,
  lost: { weeks: readonly IsoWeek[]; days: readonly LocalDate[] },
): Promise<void> {
  for (const week of lost.weeks) await weeks.close(week)
  for (const date of lost.days) await days.close(date)
}

const MOST_NAMES = 4

/** Returns the names to show, four at most, and how many others there are. */
export function shortListOf(names: readonly string[]): { shown: string[]; otherCount: number } {
  const shown = names.length > MOST_NAMES ? names.slice(0, MOST_NAMES - 1) : [...names]
  return { shown, otherCount: names.length - shown.length }
}

/** That a closed week came to other figures. */
export interface Recomputation {
  revision: number
  atMs: EpochMs
  /** The change of the week's delta. */
  changeMs: number
  causes: readonly Cause[]
}

/** Returns the oldest delta kept of a closed week and each change after it, the oldest first. */
export function historyOf({ revisions, delta_ms }: Pick<ClosedWeek, 'revisions' | 'delta_ms'>): {
  firstMs: number
  recomputations: Recomputation[]
} {
  const recomputations = revisions.slice(1).map(({ revision, at, delta_ms: becameMs, causes }, index) => ({
    revision,
    atMs: epochMs(at),
    changeMs: becameMs - (revisions[index]?.delta_ms ?? 0),
    causes,
  }))
  return { firstMs: revisions[0]?.delta_ms ?? delta_ms, recomputations }
}

/** The key of a string that says in words why a week changed. */
export function causeKey({ kind, entry_type, op }: Pick<Cause, 'kind' | 'entry_type' | 'op'>): string {
  return `recomputation.${entry_type ?? kind}.${op}`
}
