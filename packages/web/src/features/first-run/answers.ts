import { newEntry } from '@saldo/client/entries'
import {
  type AdjustmentContent,
  addDays,
  type DurationMs,
  datesIn,
  type GrantContent,
  type HolidayRule,
  holidaysUnder,
  type KnownDays,
  type LocalDate,
  type MemberDefaults,
  type RecordId,
  type SettingsContent,
  vacationYear,
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
  /** True if the hours that were due before today count as worked: nobody will record them. */
  isDueWorked: boolean
  zone: ZoneName
  breaks: BreakPreset
  holidays: HolidayRule | null
  /** Days a year; null without a vacation account. */
  vacationDays: number | null
  /** Days left at a start within a year; null to count the twelfths of its whole months. */
  vacationLeft: number | null
  isAutoClosing: boolean
}

/** The defaults that the company of a new member has, so that nobody asks for them (D24.13). */
export interface FirstRunStart {
  /** The first date of the membership. */
  since: LocalDate
  defaults: MemberDefaults
}

/** Returns likely answers with those that the company has settled. */
export function answersOf(likely: FirstRunAnswers, { since, defaults }: FirstRunStart): FirstRunAnswers {
  const { target_ms, time_zone, holidays, vacation } = defaults
  return {
    ...likely,
    since,
    ...(target_ms && { targetMs: target_ms }),
    ...(time_zone && { zone: time_zone }),
    ...(holidays !== undefined && { holidays }),
    ...(vacation !== undefined && { vacationDays: vacation?.days_per_year ?? null }),
  }
}

/** The first records of an account; without `opening` for an opening balance of 0, and without a `grant` of 0 days. */
interface FirstRecords {
  settings: SettingsContent
  opening: AdjustmentContent | undefined
  grant: GrantContent | undefined
}

/** Returns the first records of an account. `dueMs` is the time due before today; `reason` explains the records. */
export function recordsOf(
  answers: FirstRunAnswers,
  dueMs: DurationMs,
  reason: string,
  defaults: MemberDefaults = {},
): FirstRecords {
  const { since, openingMs, isDueWorked, vacationLeft } = answers
  const delta_ms = openingMs + (isDueWorked ? dueMs : 0)
  const days =
    asksVacationLeft(answers) && vacationLeft !== null ? roundedDays(vacationLeft - firstVacation(answers)) : 0
  return {
    // Each default has the place of an answer that was not asked for.
    settings: { ...settingsOf(answers), ...withoutUndefined(defaults) },
    opening: delta_ms === 0 ? undefined : { effective_date: since, delta_ms, kind: 'opening', reason },
    grant: days === 0 ? undefined : newEntry({ kind: 'vacation_grant', date: since, days, note: reason }),
  }
}

/** A default that is left out is no value of the settings. */
function withoutUndefined(defaults: MemberDefaults): Partial<SettingsContent> {
  return Object.fromEntries(Object.entries(defaults).filter(([, value]) => value !== undefined))
}

/** True if the twelfths of a start within a year can be fewer than the vacation days that are left. */
export function asksVacationLeft({ since, vacationDays }: Pick<FirstRunAnswers, 'since' | 'vacationDays'>): boolean {
  return vacationDays !== null && !since.endsWith('-01-01')
}

/** Returns the vacation days that the twelfths of the first year give. */
export function firstVacation(answers: FirstRunAnswers): number {
  const { since } = answers
  const row = { ...settingsOf(answers), id: NO_ID }
  return roundedDays(vacationYear([], [row], since, Number(since.slice(0, 4)))?.entitled ?? 0)
}

const NO_ID: RecordId = '00000000-0000-0000-0000-000000000000'

/** Rounds vacation days to hundredths, which grants have. */
function roundedDays(days: number): number {
  return Math.round(days * 100) / 100
}

function settingsOf(answers: FirstRunAnswers): SettingsContent {
  const { targetMs, since, zone, breaks, holidays, vacationDays, isAutoClosing } = answers
  return {
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
