import type { EpochMs, LocalDate, ZoneName } from '@saldo/core'
import { instantAt } from '../entries/wall-time.ts'
import { readDates } from './dates.ts'
import { lineOf, wholeText } from './line.ts'
import { clockAt } from './times.ts'

const HALF_DAY_MINUTES = 720
/** Hours of the night that are an afternoon more often. */
const EARLY_MINUTES = 360

/** The day by which a typed moment is read. */
export interface Present {
  today: LocalDate
  nowMs: EpochMs
  zone: ZoneName
}

/**
 * Reads a text that is a time of day, with or without a date before or after it, and nothing else: `17:00`,
 * `yesterday 5pm`, `17:00 20.11.`, `now`. Without a date it is today. `undefined` if it is anything else, if its date
 * can mean several, or if a time of the night may as well be past in the afternoon: `1`.
 */
export function readMoment(text: string, { today, nowMs, zone }: Present): EpochMs | undefined {
  const momentOf = (day: string, time: string): EpochMs | undefined => {
    const [range, other] = day === '' ? [{ from: today, to: today }] : readDates(day, { today, isAhead: false })
    const clock = wholeText(time, clockAt)
    if (!range || other || range.from !== range.to || !clock) return undefined
    if (clock.minutes === 'now') return day === '' ? nowMs : undefined
    const isAtNight = clock.isVague && clock.minutes < EARLY_MINUTES
    if (isAtNight && instantAt(range.from, clock.minutes + HALF_DAY_MINUTES, zone) <= nowMs) return undefined
    return instantAt(range.from, clock.minutes, zone)
  }
  const line = lineOf(text.replace(',', ' '))
  for (let at = 1; at < line.count; at += 1) {
    const [before, after] = [line.slice(0, at), line.slice(at, line.count)]
    const moment = momentOf(before, after) ?? momentOf(after, before)
    if (moment !== undefined) return moment
  }
  return momentOf('', text)
}
