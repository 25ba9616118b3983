import type { UserNumber } from '@saldo/core'
import { likelyBreakPreset } from '../../../domain/work-hours/presets.ts'
import type { HolidayPlace } from './holidays.ts'

const keyOf = (user: UserNumber) => `saldo.holiday-place.${user}`

/** Returns the last chosen place of a user on this device, else the likely country by zone and locale. */
export function rememberedPlace(user: UserNumber, zone: string, locale: string): HolidayPlace {
  const known = localStorage.getItem(keyOf(user))
  if (known !== null) return { ...NOWHERE, ...(JSON.parse(known) as Partial<HolidayPlace>) }
  return { ...NOWHERE, country: likelyCountry(zone, locale) }
}

export function rememberPlace(user: UserNumber, place: HolidayPlace): void {
  localStorage.setItem(keyOf(user), JSON.stringify(place))
}

const NOWHERE: HolidayPlace = { country: '', region: '', locality: '' }

function likelyCountry(zone: string, locale: string): string {
  const preset = likelyBreakPreset(locale, zone)
  return preset === 'none' ? (new Intl.Locale(locale).region ?? '') : preset.toUpperCase()
}
