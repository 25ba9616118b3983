import { readDates } from '@saldo/client/reading'
import {
  addDays,
  dateInYear,
  daysBetween,
  folded,
  hasWords,
  isDate,
  type LocalDate,
  mondayOf,
  type Timeline,
  weekOf,
  wordsOf,
  type ZoneName,
  zoneOn,
} from '@saldo/core'
import { emptyQuery, type Found, search } from '../../domain/entries/search.ts'
import type { Icon } from '../../ui/icon.tsx'

export interface Command {
  id: string
  label: string
  /** Other words that find it. */
  words?: string
  detail?: string
  icon: Icon
  run(): void
}

/** A view that the palette can open. */
export interface PaletteView {
  /** The i18n key of its title. */
  title: string
  icon: Icon
  /** Its paths; the palette opens the first. */
  paths: readonly [string, ...string[]]
}

export interface CommandGroup {
  label: string
  commands: readonly Command[]
}

/**
 * Returns the commands whose labels, with their other words, contain all words of the query, without empty groups.
 * Those that the label alone finds are the first of their group.
 */
export function matching(groups: readonly CommandGroup[], query: string): CommandGroup[] {
  const words = wordsOf(query)
  const isNamed = ({ label }: Command) => hasWords(folded(label), words)
  return groups
    .map(({ label, commands }) => {
      const found = commands.filter((command) => hasWords(folded(`${command.label} ${command.words ?? ''}`), words))
      const named = found.filter(isNamed)
      return { label, commands: [...named, ...found.filter((command) => !named.includes(command))] }
    })
    .filter(({ commands }) => commands.length > 0)
}

/** A day, a week, a month or a year that a query names, by its first date. */
export interface NamedPeriod {
  is: 'day' | 'week' | 'month' | 'year'
  from: LocalDate
}

/**
 * Returns the periods that a query names: `2026-10-12`, `yesterday`, `week 42`, `october`, `Okt 2025`, `10/2026`,
 * `last month`, `2025`.
 */
export function periodsNamed(query: string, today: LocalDate): NamedPeriod[] {
  const text = query.trim()
  if (/^(19|20)\d\d$/.test(text)) return [{ is: 'year', from: dateInYear(Number(text), '01-01') }]
  const counted = monthOrYearNamed(text, today)
  if (counted) return [counted]
  const outlook = { today, isAhead: false }
  const months = /^\p{L}{3,}\.?( \d{4})?$/u.test(text) ? readDates(`1. ${text}`, outlook) : []
  const [month] = months.filter(({ from, to }) => from === to && from.endsWith('-01'))
  if (month) return [{ is: 'month', from: month.from }]
  return readDates(text.replace(/^(\d{4})-W(\d\d?)$/i, 'week $2 $1'), outlook).flatMap(
    ({ from, to }): NamedPeriod[] => {
      if (from === to) return [{ is: 'day', from }]
      return from === mondayOf(weekOf(from)) && to === addDays(from, 6) ? [{ is: 'week', from }] : []
    },
  )
}

/** Returns a month in digits, such as `2026-10`, or a month or year from the present one, such as `next month`. */
function monthOrYearNamed(text: string, today: LocalDate): NamedPeriod | undefined {
  const [year, month] = [Number(today.slice(0, 4)), Number(today.slice(5, 7))]
  const [, digits] = /^(\d{4}-\d\d?)$/.exec(text.replace(/^(\d\d?)[./](\d{4})$/, '$2-$1')) ?? []
  if (digits !== undefined) return monthAt(Number(digits.slice(0, 4)), Number(digits.slice(5)))
  const [, which, period] = /^(\p{L}+) (month|monat|year|jahr)$/iu.exec(text) ?? []
  if (which === undefined || period === undefined) return undefined
  // Months and years are counted with the words for weeks.
  const [week] = readDates(`${which} week`, { today, isAhead: false })
  if (!week) return undefined
  const count = daysBetween(mondayOf(weekOf(today)), week.from) / 7
  if (/^[mM]/.test(period)) {
    const index = year * 12 + month - 1 + count
    return monthAt(Math.floor(index / 12), (index % 12) + 1)
  }
  return { is: 'year', from: dateInYear(year + count, '01-01') }
}

function monthAt(year: number, month: number): NamedPeriod | undefined {
  const from = `${year}-${String(month).padStart(2, '0')}-01`
  return isDate(from) ? { is: 'month', from } : undefined
}

/** A single letter is in most entries. */
const LEAST_LETTERS = 2

/** Returns the words by which a query finds entries; `undefined` if it is too short for that. */
export function searchedWords(query: string): string | undefined {
  const words = query.trim()
  return words.length >= LEAST_LETTERS ? words : undefined
}

/** The entries that the palette shows. */
const MAX_FOUND = 6

/** An entry that was found, with the time zone of its date, in which it is shown and edited. */
interface FoundPlace {
  entry: Found
  zone: ZoneName
}

/** Returns the newest entries with all words. */
export function newestWith(words: string, index: readonly Found[], timeline: Timeline): FoundPlace[] {
  const found = search(index, { ...emptyQuery, words }).slice(0, MAX_FOUND)
  return found.map((entry) => ({ entry, zone: zoneOn(timeline, entry.date) }))
}
