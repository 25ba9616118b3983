import { addDays, type EpochMs, type LocalDate, type ZoneName } from '@saldo/core'
import { instantAt } from '../entries/wall-time.ts'
import { readDates } from './dates.ts'
import { LONGEST_TEXT, lineOf, wholeText } from './line.ts'
import { NOTHING, type Reading, readingOfValues } from './reading.ts'
import { clockAt, inPartOfDay } from './times.ts'
import { LAST_NIGHTS, OPENERS } from './words.ts'

const HALF_DAY_MINUTES = 720
/** Before it, an hour of a night is after midnight. */
const EARLY_MINUTES = 360

/** The day by which a typed moment is read. */
export interface Present {
  today: LocalDate
  nowMs: EpochMs
  zone: ZoneName
}

/**
 * Reads a text that is a time of day, with or without a date before or after it, and nothing else: `17:00`,
 * `yesterday 5pm`, `17:00 20.11.`, `now`. Without a date it is today. An hour that may as well be past in the afternoon
 * has both meanings; there is none if its date can mean several.
 */
export function readMoment(text: string, { today, nowMs, zone }: Present): Reading<EpochMs> {
  const momentsOf = (day: string, time: string): EpochMs[] => {
    const [range, other] = day === '' ? [{ from: today, to: today }] : readDates(day, { today, isAhead: false })
    const clock = wholeText(time, (line, at) => clockAt(line, line.skip(at, OPENERS)))
    if (!range || other || range.from !== range.to || !clock) return []
    if (clock.minutes === 'now') return day === '' ? [nowMs] : []
    if (wholeText(day, (line, at) => line.phrase(at, LAST_NIGHTS))) {
      const minutes = Number(inPartOfDay(clock, 'night').minutes)
      return [instantAt(minutes < EARLY_MINUTES ? addDays(range.from, 1) : range.from, minutes, zone)]
    }
    const laterMs = instantAt(range.from, clock.minutes + HALF_DAY_MINUTES, zone)
    const isInAfternoon = clock.isVague && clock.minutes < HALF_DAY_MINUTES && laterMs <= nowMs
    return [...(isInAfternoon ? [laterMs] : []), instantAt(range.from, clock.minutes, zone)]
  }
  if (text.length > LONGEST_TEXT) return NOTHING
  const line = lineOf(text.replace(',', ' '))
  for (let at = 1; at < line.count; at += 1) {
    const [before, after] = [line.slice(0, at), line.slice(at, line.count)]
    const moments = [momentsOf(before, after), momentsOf(after, before)].find(({ length }) => length > 0)
    if (moments) return readingOfValues(moments)
  }
  return readingOfValues(momentsOf('', text))
}
