import {
  type AdjustmentContent,
  addDays,
  type DurationMs,
  datesIn,
  type HolidayRule,
  holidaysUnder,
  type KnownDays,
  type LocalDate,
  type SettingsContent,
  weekdayIndex,
  type ZoneName,
} from '@saldo/core'
import { type BreakPreset, breakPresets, usualAutoClose } from '../../domain/work-hours/work-hours-model.ts'

/** The answers of a new user. */
export interface FirstRunAnswers {
  /** Seven targets, Monday first. */
  targetMs: readonly DurationMs[]
  since: LocalDate
  openingMs: DurationMs
  zone: ZoneName
  breaks: BreakPreset
  holidays: HolidayRule | null
  /** Days a year; null without a vacation account. */
  vacationDays: number | null
  isAutoClosing: boolean
}

/** Returns the first records of an account; without `opening` for an opening balance of 0. */
export function recordsOf(
  { targetMs, since, openingMs, zone, breaks, holidays, vacationDays, isAutoClosing }: FirstRunAnswers,
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
      holidays,
      vacation:
        vacationDays === null ? null : { days_per_year: vacationDays, carry_over_until: carryOverUntil(holidays) },
      limits: null,
      note: '',
    },
    opening:
      openingMs === 0
        ? undefined
        : { effective_date: since, delta_ms: openingMs, kind: 'opening', reason: openingReason },
  }
}

/** Returns the day after which carried vacation expires by the law of a country; null if no law names a day. */
function carryOverUntil(holidays: HolidayRule | null): '03-31' | null {
  // § 7 (3) BUrlG.
  return holidays?.country === 'DE' ? '03-31' : null
}

/** Returns the hours that are due from the first day of the account up to yesterday, without public holidays. */
export function dueBefore(
  { since, targetMs, holidays }: Pick<FirstRunAnswers, 'since' | 'targetMs' | 'holidays'>,
  today: LocalDate,
  knownDays: KnownDays = () => [],
): DurationMs {
  const range = { from: since, to: addDays(today, -1) }
  const free = holidaysUnder(holidays, range, knownDays)
  return [...datesIn(range)].reduce((sum, date) => {
    const share = free.get(date)?.day_share ?? 0
    return sum + Math.round((targetMs[weekdayIndex(date)] ?? 0) * (1 - share))
  }, 0)
}
