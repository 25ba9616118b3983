import { DAY_MS, HOUR_MS, MINUTE_MS, type Settings } from '@saldo/core'

/** Closes a day a day after its end, and a week two days after its end. */
export const usualAutoClose: NonNullable<Settings['auto_close']> = { day_after_ms: DAY_MS, week_after_days: 2 }

type BreakPolicy = Settings['break_policy']
const rule = (aboveHours: number, minutes: number) => ({
  worked_above_ms: aboveHours * HOUR_MS,
  required_ms: minutes * MINUTE_MS,
})

/**
 * The legal minimum of breaks: Germany § 4 ArbZG, pieces from 15 minutes; Austria § 11 AZG, pieces from 10 minutes;
 * Switzerland Art. 15 ArG, pieces from 15 minutes.
 */
export const breakPresets: Record<'none' | 'de' | 'at' | 'ch', BreakPolicy> = {
  none: null,
  de: { rules: [rule(6, 30), rule(9, 45)], min_piece_ms: 15 * MINUTE_MS },
  at: { rules: [rule(6, 30)], min_piece_ms: 10 * MINUTE_MS },
  ch: { rules: [rule(5.5, 15), rule(7, 30), rule(9, 60)], min_piece_ms: 15 * MINUTE_MS },
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
