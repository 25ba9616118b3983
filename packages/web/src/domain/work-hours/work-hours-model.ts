import {
  DAY_MS,
  type DurationMs,
  daysBetween,
  HOUR_MS,
  type LocalDate,
  MINUTE_MS,
  mondayOf,
  type Settings,
  type SettingsContent,
  statutoryBreaks,
  weekOf,
  type ZoneName,
} from '@saldo/core'

/** The zone of this browser. */
export function browserZone(): ZoneName {
  return Intl.DateTimeFormat().resolvedOptions().timeZone
}

/** Closes a day a day after its end, and a week two days after its end. */
export const usualAutoClose: NonNullable<Settings['auto_close']> = { day_after_ms: DAY_MS, week_after_days: 2 }

type BreakPolicy = Settings['break_policy']
/** The choices of break rules: none, or the legal minimum of a country. */
export const breakPresets: Record<'none' | keyof typeof statutoryBreaks, BreakPolicy> = {
  none: null,
  ...statutoryBreaks,
}

export type BreakPreset = keyof typeof breakPresets

/** Returns the preset with the values of a policy; `undefined` if it is a custom one. */
export function breakPresetOf(policy: BreakPolicy): BreakPreset | undefined {
  const text = (wanted: BreakPolicy) => JSON.stringify(wanted && [wanted.min_piece_ms, wanted.rules])
  const known = Object.entries(breakPresets).find(([, preset]) => text(preset) === text(policy))
  return known?.[0] as BreakPreset | undefined
}

/**
 * Returns the preset of a time zone's country; for other zones, of the region of a locale such as `de-AT`.
 */
export function likelyBreakPreset(locale: string, timeZone: string): BreakPreset {
  return regions[zones[timeZone] ?? new Intl.Locale(locale).region ?? ''] ?? 'none'
}

const regions: Record<string, BreakPreset> = { DE: 'de', AT: 'at', CH: 'ch' }
const zones: Record<string, string> = { 'Europe/Berlin': 'DE', 'Europe/Vienna': 'AT', 'Europe/Zurich': 'CH' }

/** True for Monday to Friday. */
export const usualWorkdays: readonly boolean[] = [true, true, true, true, true, false, false]

/**
 * Spreads the hours of a week evenly over its working days, Monday first, in whole minutes. The first days take the
 * minutes that are left over.
 */
export function spreadWeek(totalMs: DurationMs, workdays: readonly boolean[]): DurationMs[] {
  const count = workdays.filter(Boolean).length
  const minutes = Math.round(totalMs / MINUTE_MS)
  let left = count === 0 ? 0 : minutes % count
  return workdays.map((isWorkday) => {
    if (!isWorkday) return 0
    const extra = left > 0 ? 1 : 0
    left -= extra
    return (Math.floor(minutes / count) + extra) * MINUTE_MS
  })
}

/** Returns the sum of the targets of a week. */
export function weekTotal(targetMs: readonly DurationMs[]): DurationMs {
  return targetMs.reduce((sum, ms) => sum + ms, 0)
}

/** True if no two working days differ by more than the minute that spreading leaves over. */
export function isEven(targetMs: readonly DurationMs[]): boolean {
  const workdays = targetMs.filter((ms) => ms > 0)
  return workdays.length === 0 || Math.max(...workdays) - Math.min(...workdays) <= MINUTE_MS
}

/** Returns the weeks of a rotation, each of seven targets. */
export function weeksWithHours(targetMs: readonly DurationMs[]): DurationMs[][] {
  return Array.from({ length: targetMs.length / 7 }, (_, index) => targetMs.slice(index * 7, index * 7 + 7))
}

/** Returns the weeks of a rotation with one of them moved down (1) or up (-1). */
export function moveWeek(weeks: readonly DurationMs[][], index: number, by: 1 | -1): DurationMs[][] {
  const week = weeks[index] as DurationMs[]
  return weeks.toSpliced(index, 1).toSpliced(index + by, 0, week)
}

/** Returns the weeks of a rotation with a copy of one of them behind it. */
export function copyWeek(weeks: readonly DurationMs[][], index: number): DurationMs[][] {
  return weeks.toSpliced(index, 0, weeks[index] as DurationMs[])
}

/** Returns the days of a week that are worked on; the usual ones of a week without any. */
export function workdaysOf(targetMs: readonly DurationMs[]): readonly boolean[] {
  return weekTotal(targetMs) > 0 ? targetMs.map((ms) => ms > 0) : usualWorkdays
}

/**
 * Returns the targets of a row that moves to another date, or is copied to it. Each week of the calendar keeps its
 * hours, so the rotation turns with the date.
 */
export function turnedRotation(
  { effective_from, target_ms }: Pick<SettingsContent, 'effective_from' | 'target_ms'>,
  date: LocalDate,
): DurationMs[] {
  const weeks = daysBetween(mondayOf(weekOf(effective_from)), mondayOf(weekOf(date))) / 7
  const start = 7 * (weeks % (target_ms.length / 7))
  return [...target_ms.slice(start), ...target_ms.slice(0, start)]
}

/** 40 hours from Monday to Friday, seven targets. */
export const usualWeek = spreadWeek(40 * HOUR_MS, usualWorkdays)
