import { DAY_MS, type Settings, statutoryBreaks } from '@saldo/core'

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
