import {
  type AbsenceContent,
  absenceKinds,
  type DateRange,
  type EpochMs,
  type LocalDate,
  type ZoneName,
} from '@saldo/core'
import { instantAt } from '../wall-time.ts'
import { type DateOutlook, daysAt, rangesOf } from './dates.ts'
import { lineOf } from './line.ts'
import { clockAt } from './times.ts'
import { ABSENCES } from './words.ts'

/**
 * Reads a text that is a date or a range of dates and nothing else: `2026-11-20`, `gestern`, `24.12.-31.12.`,
 * `2026-12-24..2026-12-31`, `last week`. Returns the ranges that it can mean, the likeliest first; none if it is not a
 * date.
 */
export function readDates(text: string, outlook: DateOutlook): DateRange[] {
  const written = text.replace('..', '-')
  // On its own, `1.12` is a date; within a line it could be a time.
  for (const source of [written, `${written}.`]) {
    const line = lineOf(source)
    const days = daysAt(line, 0)
    if (days?.next === line.count) {
      return rangesOf(days.value, outlook.today, outlook).filter(({ from, to }) => from <= to)
    }
  }
  return []
}

/** The day by which a typed moment is read. */
export interface Present {
  today: LocalDate
  nowMs: EpochMs
  zone: ZoneName
}

/**
 * Reads a text that is a time of day, with or without a date before or after it, and nothing else: `17:00`,
 * `yesterday 5pm`, `17:00 20.11.`, `now`. Without a date it is today. `undefined` if it is anything else, or if its
 * date can mean several.
 */
export function readMoment(text: string, { today, nowMs, zone }: Present): EpochMs | undefined {
  const momentOf = (day: string, time: string): EpochMs | undefined => {
    const [range, other] = day === '' ? [{ from: today, to: today }] : readDates(day, { today, isAhead: false })
    const line = lineOf(time)
    const clock = clockAt(line, 0)
    if (!range || other || range.from !== range.to || clock?.next !== line.count) return undefined
    const { minutes } = clock.value
    if (minutes === 'now') return day === '' ? nowMs : undefined
    return instantAt(range.from, minutes, zone)
  }
  const line = lineOf(text.replace(',', ' '))
  for (let at = 1; at < line.count; at += 1) {
    const [before, after] = [line.slice(0, at), line.slice(at, line.count)]
    const moment = momentOf(before, after) ?? momentOf(after, before)
    if (moment !== undefined) return moment
  }
  return momentOf('', text)
}

/** Reads a text that is a kind of absence and nothing else: `time_off_in_lieu`, `Urlaub`, `krank`. */
export function readAbsenceKind(text: string): AbsenceContent['kind'] | undefined {
  const named = absenceKinds.find((kind) => kind === text)
  if (named) return named
  const line = lineOf(text)
  const absence = line.phrase(0, ABSENCES)
  const kinds = absence?.next === line.count && !absence.value.isNoted ? absence.value.kinds : []
  return kinds.length === 1 ? kinds[0] : undefined
}
