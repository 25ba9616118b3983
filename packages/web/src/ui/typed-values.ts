import { addDays, type DurationMs, daysBetween, isDate, type LocalDate, parseDelta } from '@saldo/core'

/**
 * Reads a length as people write hours: all that `parseDelta` reads, and `8`, `7.7`, `7,7` as hours. In
 * milliseconds.
 */
export function parseHours(text: string): number | undefined {
  const trimmed = text.trim()
  const isPlain = /^[+−-]?\d+([.,]\d+)?$/.test(trimmed)
  const parsed = parseDelta(isPlain ? `${trimmed}h` : trimmed)
  return parsed.ok ? parsed.deltaMs : undefined
}

/** Returns a duration that lies between two others, which are both included; else `undefined`. */
export function clampedTo(ms: DurationMs | undefined, minMs: DurationMs, maxMs: DurationMs): DurationMs | undefined {
  return ms !== undefined && ms >= minMs && ms <= maxMs ? ms : undefined
}

/** Reads a percentage above 0 and up to 100, with or without its sign, as a share of 1. */
export function parsePercent(text: string): number | undefined {
  const number = /^(\d{1,3}(?:[.,]\d+)?) ?%?$/.exec(text.trim())?.[1]
  const share = Number(number?.replace(',', '.')) / 100
  return share > 0 && share <= 1 ? share : undefined
}

/**
 * Reads a date as people write it in a language, or in English: `20.11.`, `20/11/26`, `2026-11-20`, `20 Nov`, `Nov 20`,
 * a day of the month alone. A missing year is the one that is nearest to `near`. `undefined` if it is no date.
 */
export function parseDate(text: string, locale: string, near: LocalDate): LocalDate | undefined {
  const parts = text
    .toLowerCase()
    .split(/[\s,./-]+/)
    .filter((part) => part !== '' && !isWeekday(part, locale))
  const months = parts.map((part) => monthOf(part, locale))
  const month = months.find((number) => number !== undefined)
  const numbers = parts.filter((_, index) => months[index] === undefined)
  if (numbers.length > 3 || numbers.some((part) => !/^\d{1,4}$/.test(part))) return undefined
  if (month !== undefined) return dateOf(numbers[1], month, numbers[0], near)
  const [a, b, c] = numbers
  if (a?.length === 4) return dateOf(a, Number(b), c, near)
  if (b === undefined) return dateOf(near.slice(0, 4), Number(near.slice(5, 7)), a, near)
  return text.includes('/') && isMonthFirst(locale) ? dateOf(c, Number(a), b, near) : dateOf(c, Number(b), a, near)
}

function dateOf(
  year: string | undefined,
  month: number,
  day: string | undefined,
  near: LocalDate,
): LocalDate | undefined {
  const nearYear = Number(near.slice(0, 4))
  const years =
    year === undefined ? [nearYear - 1, nearYear, nearYear + 1] : [Number(year.length > 2 ? year : `20${year}`)]
  const two = (part: number) => String(part).padStart(2, '0')
  return years
    .map((wanted) => `${String(wanted).padStart(4, '0')}-${two(month)}-${two(Number(day))}`)
    .filter(isDate)
    .toSorted((a, b) => Math.abs(daysBetween(near, a)) - Math.abs(daysBetween(near, b)))[0]
}

function monthOf(part: string, locale: string): number | undefined {
  if (!/^\p{L}{3}/u.test(part)) return undefined
  const index = [locale, 'en']
    .flatMap((language) => names(language, 'month'))
    .findIndex((name) => name.startsWith(part))
  return index < 0 ? undefined : (index % 12) + 1
}

function isWeekday(part: string, locale: string): boolean {
  return /^\p{L}{2}/u.test(part) && names(locale, 'weekday').some((name) => name.startsWith(part))
}

/** Returns the twelve months, or the seven days of the week, in lower case. */
function names(locale: string, field: 'month' | 'weekday'): string[] {
  const format = new Intl.DateTimeFormat(locale, { [field]: 'long', timeZone: 'UTC' })
  const dates = field === 'month' ? 12 : 7
  return [...Array(dates).keys()].map((index) =>
    format.format(field === 'month' ? Date.UTC(2026, index, 1) : Date.UTC(2026, 0, 5 + index)).toLowerCase(),
  )
}

function isMonthFirst(locale: string): boolean {
  const parts = new Intl.DateTimeFormat(locale).formatToParts().map(({ type }) => type)
  return parts.indexOf('month') < parts.indexOf('day')
}

/** The dates that a field takes, both included. */
interface Limits {
  min: LocalDate | undefined
  max: LocalDate | undefined
}

export function isWithin(date: LocalDate, { min, max }: Limits): boolean {
  return date >= (min ?? date) && date <= (max ?? date)
}

/** Returns the date that an arrow key steps to: up is later; `undefined` for other keys. */
export function dateByKey(key: string, date: LocalDate): LocalDate | undefined {
  const days = { ArrowUp: 1, ArrowDown: -1 }[key]
  return days === undefined ? undefined : addDays(date, days)
}
