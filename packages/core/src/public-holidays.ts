/** The public holidays that the library `date-holidays` knows. @module */
import Holidays, { type HolidaysTypes } from 'date-holidays'
import { addDays, isDate, yearOf } from './date.ts'
import { type DayCorrections, holidayCorrections } from './holiday-corrections.ts'
import type { HolidayPlaceCodes, KnownDay, KnownDays } from './holidays.ts'
import { DAY_MS, HOUR_MS } from './values.ts'

/** Years by place: computing one takes milliseconds, and many users share a place. */
const yearsByPlace = new Map<string, readonly KnownDay[]>()
const CACHED_YEARS = 1_000

/** Returns the public, bank and optional holidays and observances of a place in a year, with their local names. */
export const knownDays: KnownDays = ({ country, state, region }, year) => {
  const key = [country, state, region, year].join(' ')
  const cached = yearsByPlace.get(key)
  if (cached) return cached
  const library = libraryOf({ country, state, region })
  // A holiday of several days can begin in the year before.
  const days = [year - 1, year].flatMap((each) => library.getHolidays(each).flatMap(daysOf))
  const ofYear = days.filter(({ date }) => yearOf(date) === year)
  if (yearsByPlace.size >= CACHED_YEARS) yearsByPlace.clear()
  yearsByPlace.set(key, ofYear)
  return ofYear
}

/** Returns the library of a place, with the corrections of its state and region. */
function libraryOf({ country, state, region }: HolidayPlaceCodes): Holidays {
  const library = new Holidays({ country, state: state ?? '', region: region ?? '' })
  const correction = holidayCorrections[`${country}-${state}`]
  const inForce: (DayCorrections | undefined)[] = [correction?.days, correction?.regions[region ?? '']?.days]
  for (const days of inForce) {
    for (const [rule, name] of Object.entries(days ?? {})) {
      if (name === false) library.unsetRule(rule)
      else library.setHoliday(rule, name)
    }
  }
  return library
}

/** Returns the dates of a holiday. One that lasts less than about half a day is half a day. */
function daysOf({ date: text, start, end, name, type }: HolidaysTypes.Holiday): KnownDay[] {
  const first = text.slice(0, 10)
  if (!isDate(first)) return []
  const lengthMs = end.getTime() - start.getTime()
  // A clock change makes a day an hour shorter.
  const count = Math.max(1, Math.floor((lengthMs + HOUR_MS) / DAY_MS))
  const share = lengthMs < DAY_MS / 2 + 1 ? 0.5 : 1
  return Array.from({ length: count }, (_, index) => {
    return { date: addDays(first, index), name, isPublic: type === 'public', share }
  })
}

/** Returns the codes of the countries that the library knows. */
export function holidayCountries(): string[] {
  return Object.keys(new Holidays().getCountries())
}

/** Returns the states of a country as codes and names, by name. */
export function holidayStates(country: string, language: string): [code: string, name: string][] {
  return byName(new Holidays().getStates(country, language))
}

/** Returns the regions of a state that have holidays of their own as codes and names, by name. */
export function holidayRegions(country: string, state: string, language: string): [code: string, name: string][] {
  const names: Record<string, string> = { ...new Holidays().getRegions(country, state, language) }
  for (const [code, added] of Object.entries(holidayCorrections[`${country}-${state}`]?.regions ?? {})) {
    names[code] = added.names[language.slice(0, 2)] ?? added.names.de
  }
  return byName(names)
}

function byName(names: Record<string, string> | undefined): [string, string][] {
  return Object.entries(names ?? {}).sort(([, a], [, b]) => a.localeCompare(b))
}
