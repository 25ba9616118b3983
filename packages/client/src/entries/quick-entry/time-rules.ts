import { HOUR_MS, itemAt, MINUTE_MS } from '@saldo/core'
import { durationAt, hoursOfDecimals, toMinutes } from '../../reading/durations.ts'
import { type Line, lineOf, type Match, skipHyphen, skipOpener } from '../../reading/line.ts'
import { numberAt } from '../../reading/numbers.ts'
import {
  type ClockRange,
  type ClockTime,
  clockAt,
  clockRangesOf,
  rangeAt,
  wholeClockAt,
  withGermanHalf,
} from '../../reading/times.ts'
import * as time from '../../reading/words.ts'
import {
  type DateOrder,
  type Days,
  dateOrders,
  dayAt,
  dayNumberAt,
  daysAt,
  type PhraseDay,
} from '../../reading/written-days.ts'
import { clockOfDecimals, LONGEST_BREAK_MS, plainBreakAt, plainClockAt } from './break-rules.ts'
import { type FoundPiece, isLetters, isWord, one, type PhrasePart, type Token } from './phrase-parts.ts'
import { CLOCK_INS, CLOCK_OUTS, FOR, LAST, STARTS } from './words.ts'

/** More hours without a unit are something else. */
const LONGEST_PLAIN_HOURS = 16
const DAY_MINUTES = 1_440
const HALF_DAY_MINUTES = 720

/** A day and a time of day, which begins at `clockFrom`. */
interface Moment {
  day: PhraseDay
  clock: ClockTime
  clockFrom: number
}

/** Reads `20.10. 20:00`, `gestern um 22 Uhr`, `2026-10-20T20:00`. */
function dayAndClockAt(line: Line, at: number, order?: DateOrder): Match<Moment> | undefined {
  const day = dayAt(line, line.skip(at, time.ON), order)
  if (!day) return undefined
  const isIso = line.text(day.next) === 't' && line.isGlued(day.next)
  const clockFrom = line.skip(isIso || line.text(day.next) === ',' ? day.next + 1 : day.next, time.OPENERS)
  const clock = wholeClockAt(line, clockFrom)
  return clock && { value: { day: day.value, clock: clock.value, clockFrom }, next: clock.next }
}

/** Reads `22:00 Mo`, `5pm yesterday`. */
function clockAndDayAt(line: Line, at: number, order?: DateOrder): Match<Moment> | undefined {
  const clock = clockAt(line, at)
  const day = clock && dayAt(line, line.skip(clock.next, time.ON), order)
  return day && { value: { day: day.value, clock: clock.value, clockFrom: at }, next: day.next }
}

/** Reads `20.10. 20:00 - 21.10. 4:00`, `yesterday 10pm to today 6am`, and `since yesterday 8:00`. */
export function moments(line: Line, at: number): FoundPiece | undefined {
  const read = momentsIn(line, at)
  if (read) return read
  const ways = dateOrders.flatMap((order) => momentsIn(line, at, order) ?? [])
  const [first] = ways
  if (!first || !/\d\/\d|-\d\d?-\d{4}/.test(line.slice(at, first.next))) return undefined
  return { alternatives: ways.flatMap(({ alternatives }) => alternatives), next: first.next }
}

function momentsIn(line: Line, at: number, order?: DateOrder): FoundPiece | undefined {
  const since = line.phrase(at, time.SINCE)
  const opened = since?.next ?? line.skip(at, time.OPENERS)
  for (const momentAt of [dayAndClockAt, clockAndDayAt]) {
    const from = momentAt(line, opened, order)
    if (!from || from.value.clock.minutes === 'now') continue
    const { day, clock, clockFrom } = from.value
    if (isBeforeDate(line, rangeAt(line, clockFrom)?.next)) continue
    const dates: PhrasePart = { is: 'dates', days: { from: day, to: day } }
    const hyphen = skipHyphen(line, from.next)
    const joined = hyphen > from.next ? hyphen : line.skip(from.next, time.UNTIL)
    const next = joined > from.next ? joined : besideAt(line, from.next)
    const to = joined > from.next || isFullDate(day) ? momentAt(line, next, order) : undefined
    if (to && (joined > from.next || isFullDate(to.value.day))) {
      const end = to.value.clock
      const times = { start: clock.minutes, end: end.minutes, isVague: false, clocks: [clock, end] as const }
      return { alternatives: [[dates, { is: 'range', ...times, until: to.value.day }]], next: to.next }
    }
    const isSpan = line.phrase(from.next, time.SPANS) !== undefined
    const isOther = joined > from.next || isSpan || durationAt(line, clockFrom) !== undefined
    if (since && !isOther) return { alternatives: [[dates, { is: 'since', clock }]], next: from.next }
  }
  return undefined
}

/** True for times before a date, such as the `Nov 19` of "Thu 9-12 Nov 19", whose month is not that of the 12th. */
function isBeforeDate(line: Line, at: number | undefined): boolean {
  const month = at === undefined ? undefined : line.phrase(at, time.MONTHS)
  const day = month && line.digits(month.next, 1, 2)
  return day !== undefined && wholeClockAt(line, month?.next ?? 0)?.next === (month?.next ?? 0) + 1
}

const isFullDate = (day: PhraseDay) => day.is === 'date' && day.year !== undefined

/** The index after a sign between two cells of a table. */
const besideAt = (line: Line, at: number) => at + ([',', ';', '|'].includes(line.text(at)) ? 1 : 0)

/**
 * Reads times side by side, as time clocks and rows of tables have them: `Kommen 9:00 Gehen 17:00`, `in 9 out 5`,
 * `09:00 17:00`. Without words, the second one can be a duration.
 */
function besideTimes(line: Line, at: number, before: Token | undefined): FoundPiece | undefined {
  const clockBehind = (word: Match<boolean> | undefined, from: number) => {
    const opened = word?.next ?? from
    return wholeClockAt(line, line.skip(opened + (word && line.text(opened) === ':' ? 1 : 0), time.OPENERS))
  }
  const isClock = (from: number, next: number) => /^\d\d?:\d\d(?::\d\d)?(?: ?[ap]m)?$/i.test(line.slice(from, next))
  const came = line.phrase(at, CLOCK_INS)
  const start = clockBehind(came, at)
  const gap = start && besideAt(line, start.next)
  const out = gap && line.phrase(gap, CLOCK_OUTS)
  const end = gap === undefined ? undefined : clockBehind(out || undefined, gap)
  if (!start || gap === undefined || !end || start.value.minutes === 'now' || end.value.minutes === 'now')
    return undefined
  if (skipHyphen(line, end.next) > end.next || line.phrase(end.next, time.UNTIL)) return undefined
  const ranges = clockRangesOf(start.value, end.value).map((range): PhrasePart[] => [{ ...range, is: 'range' }])
  if (out && (came || isClock(at, start.next)))
    return ranges.length > 0 ? { alternatives: ranges, next: end.next } : undefined
  if (!isClock(at, start.next) || !isClock(gap, end.next)) return undefined
  const isInDay = start.value.minutes + end.value.minutes <= DAY_MINUTES
  const isNight = start.value.minutes >= end.value.minutes + HALF_DAY_MINUTES
  const isRange = isNight || end.value.minutes > start.value.minutes || !isInDay
  const length: PhrasePart = { is: 'length', lengthMs: end.value.minutes * MINUTE_MS }
  const { isSum, parts } = breakAndSum(start.value.minutes, end.value.minutes, before, line.slice(gap, end.next))
  if (isSum) return { alternatives: [parts.slice(0, 1)], next: end.next }
  const alternatives = [
    ...(parts.length > 0 ? [parts] : []),
    ...(isRange ? ranges : []),
    ...(isInDay ? [[{ is: 'since', clock: start.value } as const, length]] : []),
  ]
  return alternatives.length > 0 ? { alternatives, next: end.next } : undefined
}

/**
 * Returns the break and the sum that two times behind a range can be, as in the row `08:00 16:30 0:30 8:00`. If they
 * agree with it, `isSum`, they are nothing else.
 */
function breakAndSum(pause: number, sum: number, before: Token | undefined, text: string) {
  const range = before?.alternatives.flat().find((part) => part.is === 'range')
  const minutes = range ? Number(range.end) - Number(range.start) : 0
  const canBe = pause > 0 && pause * MINUTE_MS <= LONGEST_BREAK_MS && pause < sum && sum <= minutes
  const parts: PhrasePart[] = [
    { is: 'breakLength', lengthMs: pause * MINUTE_MS },
    { is: 'word', text },
  ]
  return { isSum: canBe && (sum === minutes || sum === minutes - pause), parts: canBe ? parts : [] }
}

/** Reads times. "half 9" can be meant in German too. */
export function times(line: Line, at: number, before: Token | undefined): FoundPiece | undefined {
  const found = timesAt(line, at, before)
  const text = found ? line.slice(at, found.next) : ''
  if (!found || withGermanHalf(text) === text) return found
  const german = timesAt(lineOf(withGermanHalf(line.source)), at, before)
  return { ...found, alternatives: [...found.alternatives, ...(german?.alternatives ?? [])] }
}

function timesAt(line: Line, at: number, before: Token | undefined): FoundPiece | undefined {
  const range = rangeAt(line, at)
  const days = daysAt(line, at)
  const ways = days && range ? timesOrDates(line, range, days) : undefined
  if (ways) return ways
  if (days && range && days.next > range.next && isLetters(line, range.next)) {
    const work: PhrasePart[] = [
      { ...itemAt(range.value, 0), is: 'range' },
      { is: 'word', text: line.slice(range.next, days.next) },
    ]
    return { alternatives: [[{ is: 'dates', days: days.value }], work], next: days.next }
  }
  if (days && days.next > (range?.next ?? 0)) return undefined
  if (range) {
    const meanings = range.value.map((each): PhrasePart[] => [{ ...each, is: 'range' }])
    return { alternatives: [...meanings, ...datesIn(line, at, range.next)], next: range.next }
  }
  const beside = besideTimes(line, at, before)
  if (beside) return beside
  const since = line.phrase(at, time.SINCE)
  const isBefore = line.text(since?.next ?? at) === 'vor'
  const ago = durationAt(line, (since?.next ?? at) + (isBefore ? 1 : 0))
  const end = ago && line.text(ago.next) === 'ago' ? ago.next + 1 : ago?.next
  const isAgo = since !== undefined || isBefore || end !== ago?.next
  if (ago && end !== undefined && isAgo && line.isEnd(end))
    return one({ is: 'ago', lengthMs: toMinutes(ago.value) }, end)
  const from = line.skip(line.skip(line.skip(at, FOR), LAST), time.ABOUT)
  const length = durationAt(line, from)
  if (length && line.isEnd(length.next)) {
    const [decimals] =
      /^\d{1,2}[.,]\d\d(?=\s?(?:h|std|stunden|hours|hrs)\.?$)/i.exec(line.slice(from, length.next)) ?? []
    const lengths = decimals === undefined ? [toMinutes(length.value)] : hoursOfDecimals(decimals)
    return { alternatives: lengths.map((lengthMs) => [{ is: 'length', lengthMs }]), next: length.next }
  }
  return openTimes(line, at)
}

/** Reads `9-12 Nov 16-17`, in which either range can be the times. */
function timesOrDates(line: Line, range: Match<ClockRange[]>, days: Match<Days>): FoundPiece | undefined {
  const behind = line.phrase(range.next, time.MONTHS) ? daysAt(line, range.next) : undefined
  const times = rangeAt(line, days.next)
  if (!behind || times?.next !== behind.next) return undefined
  const way = ({ value: [first] }: Match<ClockRange[]>, { value }: Match<Days>): PhrasePart[] =>
    first
      ? [
          { is: 'dates', days: value },
          { ...first, is: 'range' },
        ]
      : []
  return { alternatives: [way(range, behind), way(times, days)], next: behind.next }
}

/** `20.11-23.11` can be dates too. */
function datesIn(line: Line, at: number, next: number): PhrasePart[][] {
  const text = line.slice(at, next)
  const dotted = /^\d\d?\.\d\d?-\d\d?\.\d\d?$/.test(text) ? daysAt(lineOf(`${text.replace('-', '.-')}.`), 0) : undefined
  return dotted ? [[{ is: 'dates', days: dotted.value }]] : []
}

/** Reads `seit 9`, `ab 9 Uhr`, `9-`, `9am`, `bis 17`. */
function openTimes(line: Line, at: number): FoundPiece | undefined {
  const until = line.phrase(at, time.UNTIL)
  const end = until && clockAt(line, line.skip(until.next, time.OPENERS))
  if (end) return one({ is: 'until', clock: end.value }, end.next)
  const opened = skipOpener(line, skipOpener(line, at, time.SINCE), time.OPENERS)
  const start = clockAt(line, skipOpener(line, opened, time.OPENERS))
  if (!start) return undefined
  // In "9 - 17 Std", what follows the hyphen is no length behind an open start.
  const isFollowed = /^\d/.test(line.text(start.next + 1))
  const isOpen = line.text(start.next) === '-' && !line.isGlued(start.next + 1) && !isFollowed
  const isClock = opened > at || isOpen || /[\p{L}]/u.test(line.slice(at, start.next))
  if (!isClock || start.value.minutes === 'now') return undefined
  const clock = { ...start.value, minutes: start.value.minutes % DAY_MINUTES }
  return one({ is: 'since', clock }, isOpen ? start.next + 1 : start.next)
}

export function nows(line: Line, at: number): FoundPiece | undefined {
  // "Start Saldo" begins now, "start page 9-12" does not.
  const started = at === 0 ? line.phrase(at, STARTS) : undefined
  if (started) {
    const word: PhrasePart = { is: 'word', text: line.slice(at, started.next) }
    const now: PhrasePart = { is: 'since', clock: { minutes: 'now', isVague: false } }
    return { alternatives: [[now], [word]], next: started.next }
  }
  const clock = clockAt(line, line.skip(at, time.SINCE))
  return clock?.value.minutes === 'now' ? one({ is: 'since', clock: clock.value }, clock.next) : undefined
}

/** True for a number of `7,8,9` or of `Dec 7,8`, in which commas are no decimal signs. */
function isListed(line: Line, at: number): boolean {
  const isBehind = line.text(at - 1) === ',' && [at, at - 1].every(line.isGlued) && /^\d/.test(line.text(at - 2))
  return isBehind || line.match(at, /\d\d?(?:,\d\d?){2,}(?!\d)/y) !== undefined
}

/** Reads numbers without a unit: hours, a time, a date, the minutes of a break. */
export function numbers(line: Line, at: number, before: Token | undefined): FoundPiece | undefined {
  const clock = plainClockAt(line, at)
  const digits = line.digits(at, 1, 2)
  const listed = digits !== undefined && isListed(line, at) ? { value: Number(digits), next: at + 1 } : undefined
  const number = clock ? { value: clock.value / HOUR_MS, next: clock.next } : (listed ?? numberAt(line, at))
  if (!number || (digits === undefined && !'¼½¾,.'.includes(line.text(at)))) return undefined
  if ([':', '/'].includes(line.text(number.next)) && line.isGlued(number.next)) return undefined
  // "1.250,50" is an amount.
  if (line.match(at, /\d+(?:\.\d{3})+,\d+|\d+(?:,\d{3})+\.\d+/y)) return undefined
  const isWhole = number.next === at + 1
  if (isWhole && isWord(before) && at + 1 < line.count) return undefined
  // The point of "3." says that it is a day, or an ordinal.
  const isMarked = isWhole && line.text(at + 1) === '.' && line.isGlued(at + 1) && line.isEnd(at + 2)
  const next = isMarked ? at + 2 : number.next
  const hours = number.value
  const isTime = isWhole || clock !== undefined || /^\d\d$/.test(line.text(next - 1))
  const start = isTime && line.text(at + 1) !== ',' ? clockAt(line, at) : undefined
  const isDate = line.text(at + 1) === '.' && line.digits(at + 2, 1, 2) !== undefined
  const date = isDate ? daysAt(lineOf(`${line.slice(at, at + 3)}.`), 0)?.value : undefined
  const marked = isMarked ? dayNumberAt(line, at)?.value : undefined
  const days = marked ? { from: marked, to: marked } : date
  const isBehindRange = before?.alternatives.some((parts) => parts.some(({ is }) => is === 'range'))
  // A row of a table ends with a sum: `09:00 - 10:15 1:15:00`.
  const isOrdinal = isMarked && isLetters(line, next)
  const pause = isBehindRange && number.next <= at + 3 && !isOrdinal ? plainBreakAt(line, at) : undefined
  const alternatives: PhrasePart[][] = []
  const text = line.slice(at, number.next)
  const isDecimal = /^\d\d?[.,]\d\d$/.test(text)
  const lengths = isDecimal ? hoursOfDecimals(text) : [clock ? toMinutes(clock.value) : Math.round(hours * HOUR_MS)]
  if (hours > 0 && hours <= LONGEST_PLAIN_HOURS)
    alternatives.push(...lengths.map((lengthMs): PhrasePart[] => [{ is: 'length', lengthMs, isPlain: true }]))
  if (start?.next === number.next)
    alternatives.push([{ is: 'since', clock: start.value, ...(isWhole && { isPlain: true }) }])
  const clockMs = pause && clockOfDecimals(line, at, pause)
  if (clockMs !== undefined) alternatives.push([{ is: 'breakLength', lengthMs: clockMs }])
  if (pause) alternatives.push([{ is: 'breakLength', lengthMs: pause.value }])
  if (days) alternatives.push([{ is: 'dates', days }])
  // "10.000 Schritte" are thousands.
  if (/^\d{1,3}[.,]\d{3}$/.test(line.slice(at, next)) && isLetters(line, next)) return undefined
  const isBeforeWord = !clock && isLetters(line, next) && !time.AND.has(line.text(next))
  const isBehindProject = before?.alternatives[0]?.at(-1)?.is === 'project'
  if (isWord(before) || isBehindProject || isBeforeWord || (pause && isWhole))
    alternatives.push([{ is: 'word', text: line.slice(at, next) }])
  return alternatives.length > 0 ? { alternatives, next } : undefined
}
