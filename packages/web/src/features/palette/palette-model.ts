import { readDates } from '@saldo/client/reading'
import {
  addDays,
  dateInYear,
  folded,
  hasWords,
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

/** Returns the periods that a query names: `2026-10-12`, `yesterday`, `week 42`, `october`, `Okt 2025`, `2025`. */
export function periodsNamed(query: string, today: LocalDate): NamedPeriod[] {
  const text = query.trim()
  if (/^(19|20)\d\d$/.test(text)) return [{ is: 'year', from: dateInYear(Number(text), '01-01') }]
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
