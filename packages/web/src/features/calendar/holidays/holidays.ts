import { addDays, DAY_MS, HOUR_MS, isDate, type LocalDate } from '@saldo/core'
import Holidays, { type HolidaysTypes } from 'date-holidays'

/** A country, and a region and a place in it that have their own holidays. */
export interface HolidayPlace {
  /** Such as `DE`; empty if none is chosen. */
  country: string
  region: string
  locality: string
}

export interface Holiday {
  date: LocalDate
  name: string
  /** 1, or 0.5 if less than a day is free. */
  share: number
}

/** Days that are free by law, and `others` that are free for banks or optional. */
export interface YearOfHolidays {
  free: Holiday[]
  others: Holiday[]
}

export function holidaysIn(
  { country, region, locality }: HolidayPlace,
  year: number,
  language: string,
): YearOfHolidays {
  if (country === '') return { free: [], others: [] }
  const known = new Holidays({ country, state: region, region: locality }).getHolidays(year, language)
  const free = daysOf(known.filter(({ type }) => type === 'public'))
  const dates = new Set(free.map(({ date }) => date))
  const others = daysOf(known.filter(({ type }) => type === 'bank' || type === 'optional'))
  return { free, others: others.filter(({ date }) => !dates.has(date)) }
}

/** Returns one holiday for each date, by date. */
function daysOf(holidays: readonly HolidaysTypes.Holiday[]): Holiday[] {
  const byDate = new Map<LocalDate, Holiday>()
  for (const { date: text, start, end, name } of holidays) {
    const first = text.slice(0, 10)
    if (!isDate(first)) continue
    const lengthMs = end.getTime() - start.getTime()
    // A clock change makes a day an hour shorter.
    const count = Math.max(1, Math.floor((lengthMs + HOUR_MS) / DAY_MS))
    for (let index = 0; index < count; index += 1) {
      const date = addDays(first, index)
      const known = byDate.get(date)
      const share = lengthMs < DAY_MS / 2 + 1 ? 0.5 : 1
      byDate.set(date, known ? { ...known, share: Math.max(known.share, share) } : { date, name, share })
    }
  }
  return [...byDate.values()].sort((a, b) => (a.date < b.date ? -1 : 1))
}

/** Returns the regions of a country as codes and names. */
export function regionsOf(country: string, language: string): [string, string][] {
  return country === '' ? [] : byName(new Holidays().getStates(country, language))
}

export function localitiesOf(country: string, region: string, language: string): [string, string][] {
  return region === '' ? [] : byName(new Holidays().getRegions(country, region, language))
}

export function countries(): string[] {
  return Object.keys(new Holidays().getCountries())
}

function byName(names: Record<string, string> | undefined): [string, string][] {
  return Object.entries(names ?? {}).sort(([, a], [, b]) => a.localeCompare(b))
}
