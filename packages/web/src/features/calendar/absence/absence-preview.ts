import type { EntryMutation } from '@saldo/client/entries'
import {
  computeDay,
  type DurationMs,
  type Entry,
  type LocalDate,
  netWorkMs,
  type Timeline,
  type VacationYear,
} from '@saldo/core'
import { balanceEffect, vacationEffect } from '../../../domain/entries/absence-effect.ts'

/** The account before absences are changed. Parts are `undefined` while they are computed. */
export interface AbsenceContext {
  timeline: Timeline
  today: LocalDate
  balanceMs: DurationMs | undefined
  /** `null` without a vacation account. */
  vacation: Pick<VacationYear, 'year' | 'left'> | null | undefined
}

/** The effects of changed absences. */
export interface AbsencePreview {
  /** The balance without and with the changes; `undefined` while it is computed, and without changes. */
  balance: { nowMs: DurationMs; thenMs: DurationMs } | undefined
  /** The days of vacation left after the changes; `undefined` without a vacation account, and if they take none. */
  vacationLeft: number | undefined
}

/** Returns the work on some dates. */
export function workedOn(dates: readonly LocalDate[], entries: readonly Entry[], timeline: Timeline): DurationMs {
  return dates.reduce((sum, date) => sum + netWorkMs(computeDay(entries, timeline, date)), 0)
}

/** Returns the effects of changes. `entries` are those of their dates, `undefined` while they are read. */
export function absencePreview(
  entries: readonly Entry[] | undefined,
  changes: readonly EntryMutation[],
  { timeline, today, balanceMs, vacation }: AbsenceContext,
): AbsencePreview {
  if (!entries || changes.length === 0) return { balance: undefined, vacationLeft: undefined }
  const effectMs = balanceEffect(entries, changes, timeline, today)
  const taken = vacation ? vacationEffect(entries, changes, timeline, vacation.year) : 0
  return {
    balance: balanceMs === undefined ? undefined : { nowMs: balanceMs, thenMs: balanceMs + effectMs },
    vacationLeft: vacation && taken !== 0 ? vacation.left - taken : undefined,
  }
}
