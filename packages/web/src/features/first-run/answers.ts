import {
  type AdjustmentContent,
  addDays,
  type DurationMs,
  datesIn,
  type LocalDate,
  type SettingsContent,
  weekdayIndex,
  type ZoneName,
} from '@saldo/core'
import { type BreakPreset, breakPresets, usualAutoClose } from '../../domain/work-hours/presets.ts'

/** The answers of a new user. */
export interface Answers {
  /** Seven targets, Monday first. */
  targetMs: readonly DurationMs[]
  since: LocalDate
  openingMs: DurationMs
  zone: ZoneName
  breaks: BreakPreset
  isAutoClosing: boolean
}

/** Returns the first records of an account; without `opening` for an opening balance of 0. */
export function recordsOf(
  { targetMs, since, openingMs, zone, breaks, isAutoClosing }: Answers,
  openingReason: string,
): { settings: SettingsContent; opening: AdjustmentContent | undefined } {
  return {
    settings: {
      effective_from: since,
      time_zone: zone,
      target_ms: [...targetMs],
      break_policy: breakPresets[breaks],
      auto_close: isAutoClosing ? usualAutoClose : null,
      week_starts_on: 1,
      hints: null,
      core_time: null,
      frame: null,
      holidays: null,
      vacation: null,
      note: '',
    },
    opening:
      openingMs === 0
        ? undefined
        : { effective_date: since, delta_ms: openingMs, kind: 'opening', reason: openingReason },
  }
}

/** Returns the hours that are due from the first day of the account up to yesterday. */
export function dueBefore({ since, targetMs }: Pick<Answers, 'since' | 'targetMs'>, today: LocalDate): DurationMs {
  const dates = [...datesIn({ from: since, to: addDays(today, -1) })]
  return dates.reduce((sum, date) => sum + (targetMs[weekdayIndex(date)] ?? 0), 0)
}
