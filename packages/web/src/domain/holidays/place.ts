import type { HolidayRule } from '@saldo/core'
import { likelyBreakPreset } from '../work-hours/presets.ts'

/** Returns the rule of the likely country by locale and zone; null if it is unknown. */
export function likelyHolidays(locale: string, zone: string): HolidayRule | null {
  const preset = likelyBreakPreset(locale, zone)
  const country = preset === 'none' ? new Intl.Locale(locale).region : preset.toUpperCase()
  return country === undefined ? null : { country, state: null, region: null, partial: {} }
}
