import { addDays, isDate, type LocalDate, weekdayIndex } from '@saldo/core'
import type { AbsenceRecord } from '../../../domain/entries/parts.ts'

/** The words that a language has for what a quick entry says; all in lower case. */
export interface QuickWords {
  /** Days, as their distance from today. */
  days: ReadonlyMap<string, number>
  /** Monday first; each with its short and its long names. */
  weekdays: readonly (readonly string[])[]
  breaks: ReadonlySet<string>
  absences: ReadonlyMap<string, AbsenceRecord['kind']>
  half: ReadonlySet<string>
  /** The words between two times, such as "to". */
  until: ReadonlySet<string>
}

/**
 * Reads a date: a word, a weekday (the last one that has been, today included), `2026-11-20`, `20.11.`,
 * `20.11.2026`.
 */
export function readDate(text: string, today: LocalDate, words: QuickWords): LocalDate | undefined {
  const word = text.toLowerCase()
  const days = words.days.get(word)
  if (days !== undefined) return addDays(today, days)
  const weekday = weekdayOf(word, words)
  if (weekday >= 0) return addDays(today, -((weekdayIndex(today) - weekday + 7) % 7))
  return isDate(text) ? text : readDottedDate(text, today)
}

/** Monday is 0; −1 where a word is none. */
export function weekdayOf(text: string, { weekdays }: QuickWords): number {
  return weekdays.findIndex((names) => names.includes(text.toLowerCase()))
}

const DOTTED = /^(\d{1,2})\.(\d{1,2})\.(\d{4})?$/

/** Without a year it is the date nearest to today. */
function readDottedDate(text: string, today: LocalDate): LocalDate | undefined {
  const [matched, day = '', month = '', year] = DOTTED.exec(text) ?? []
  if (matched === undefined) return undefined
  const tail = `-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const thisYear = Number(today.slice(0, 4))
  const years = year ? [Number(year)] : [thisYear, thisYear - 1, thisYear + 1]
  const dates = years.map((each) => String(each).padStart(4, '0') + tail).filter(isDate)
  const distance = (date: LocalDate) => Math.abs(Date.parse(date) - Date.parse(today))
  return dates.sort((a, b) => distance(a) - distance(b))[0]
}
