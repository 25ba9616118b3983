import type { HolidayRule } from '@saldo/core'
import { likelyBreakPreset } from '../work-hours/work-hours-model.ts'

/** Returns the rule of the likely country by locale and zone; null if it is unknown. */
export function likelyHolidays(locale: string, zone: string): HolidayRule | null {
  const preset = likelyBreakPreset(locale, zone)
  const country = preset === 'none' ? new Intl.Locale(locale).region : preset.toUpperCase()
  return country === undefined ? null : { country, state: null, region: null, partial: {} }
}

/** Returns the rule of another country, with the same days of one's own. A state and a region belong to a country. */
export function withCountry(rule: HolidayRule | null, country: string): HolidayRule {
  return { country, state: null, region: null, partial: rule?.partial ?? {} }
}

/** Returns the rule of another state of the same country; null for the whole country. A region belongs to a state. */
export function withState(rule: HolidayRule, state: string | null): HolidayRule {
  return { ...rule, state, region: null }
}
