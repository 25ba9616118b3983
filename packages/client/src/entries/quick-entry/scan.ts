import { type AbsenceContent, HOUR_MS, itemAt, MINUTE_MS } from '@saldo/core'
import { type Days, dayAt, daysAt, type PhraseDay } from '../../reading/dates.ts'
import { clockDurationAt, durationAt, toMinutes } from '../../reading/durations.ts'
import { type Line, lineOf, type Match } from '../../reading/line.ts'
import { numberAt } from '../../reading/numbers.ts'
import { type ClockRange, type ClockTime, clockAt, type PartOfDay, rangeAt } from '../../reading/times.ts'
import * as time from '../../reading/words.ts'
import * as words from './words.ts'

/** One thing that a line says. */
export type PhrasePart =
  /** `until` is the day of an end that does not lie on the day of the start. */
  | ({ is: 'range'; until?: PhraseDay } & ClockRange)
  | ({ is: 'breakRange' } & ClockRange)
  /** A start without an end, and an end without a start. */
  | { is: 'since'; clock: ClockTime; isPlain?: true }
  | { is: 'until'; clock: ClockTime }
  /** A start that lies so long ago. */
  | { is: 'ago'; lengthMs: number }
  /** `isPlain` if it has no unit, as a start if it is just an hour. */
  | { is: 'length'; lengthMs: number; isPlain?: true }
  | { is: 'break' }
  /** `isTaken` if it is taken off the time before it. */
  | { is: 'breakLength'; lengthMs: number; isTaken?: true }
  | { is: 'dates'; days: Days }
  /** `isHalf` if it is a half of the day for whoever is off, `isName` if it may as well be the name of something. */
  | { is: 'partOfDay'; part: PartOfDay; isHalf: boolean; isName?: boolean; text: string }
  /** `isMaybe` if its word is about work as often. */
  | { is: 'absence'; kind: AbsenceContent['kind']; note: string; isMaybe?: true }
  | { is: 'share'; share: number }
  | { is: 'span'; count: number; unit: 'day' | 'week' }
  | { is: 'tag' | 'project' | 'word' | 'notCounted'; text: string }
  /** Looks like a date, and is none. */
  | { is: 'noDate' }

export type TextPart = Extract<PhrasePart, { is: 'tag' | 'project' | 'word' | 'notCounted' }>

export function isTextPart(part: PhrasePart): part is TextPart {
  return 'text' in part && part.is !== 'partOfDay'
}

/** A piece of the line with all that it can mean, the likeliest first. */
export interface Token {
  alternatives: PhrasePart[][]
  /** Its meaning if none of the alternatives fits the rest of the line; `undefined` if it has to fit. */
  fallback: PhrasePart[] | undefined
  /** The piece as a word of a note. */
  word: TextPart
}

interface Found {
  alternatives: PhrasePart[][]
  next: number
}

type Rule = (line: Line, at: number, before: Token | undefined) => Found | undefined

const LONGEST_BREAK_MS = 3 * HOUR_MS
/** More hours without a unit are something else. */
const LONGEST_PLAIN_HOURS = 16

/** Marks between the pieces of a line, which say nothing. */
const MARKS = /^[.,;:+&/|()[\]'"\u00b7\u2022\u2010-\u2015\u2212-]*$/

/** The first rule that fits takes its words, so that longer phrases come first. */
const RULES: readonly Rule[] = [notCounted, tags, breaks, moments, times, absences, dates, numbers, nows]

/** Returns the pieces of a line. */
export function scan(source: string): Token[] {
  const line = lineOf(source.replace(/\b([ap])\.m\./gi, '$1m'))
  const tokens: Token[] = []
  for (let at = 0; at < line.count; ) {
    const before = tokens.at(-1)
    const found = line.isStart(at) ? firstFound(line, at, before) : undefined
    const next = found?.next ?? wordEnd(line, at)
    const word: TextPart = { is: 'word', text: line.slice(at, next).replace(/^\(|[;)]$/g, '') }
    if (found) {
      const alternatives = withWord(line, at, found, before, word)
      tokens.push({ alternatives, fallback: fallbackOf(line, found, before, word), word })
    } else if (!MARKS.test(word.text)) {
      const isDateLike = /^\d\d?\.\d\d?\.(?:\D|$)/.test(word.text)
      tokens.push({ alternatives: [[isDateLike ? { is: 'noDate' } : word]], fallback: undefined, word })
    }
    at = next
  }
  return tokens
}

/** Returns what a piece means if it does not fit. Times have to fit, unless they stand within a note. */
function fallbackOf(
  line: Line,
  { alternatives, next }: Found,
  before: Token | undefined,
  word: PhrasePart,
): PhrasePart[] | undefined {
  const [part] = alternatives[0] ?? []
  switch (part?.is) {
    case 'dates': {
      const second = alternatives[0]?.[1]
      return second?.is === 'partOfDay' ? [part, { is: 'word', text: second.text }] : undefined
    }
    case 'partOfDay':
    case 'share':
    case 'span':
      return [word]
    case 'break':
      return isLetters(line, next) ? [word] : undefined
    case 'absence':
    case 'noDate':
    case 'tag':
    case 'project':
    case undefined:
      return undefined
    default:
      return isWord(before) ? [word] : undefined
  }
}

function firstFound(line: Line, at: number, before: Token | undefined): Found | undefined {
  for (const rule of RULES) {
    const found = rule(line, at, before)
    if (found && line.isEnd(found.next)) return found
  }
  return undefined
}

/** The end of all that is written together. A separator at its end is a word of its own. */
function wordEnd(line: Line, at: number): number {
  let next = at + 1
  if (line.isStart(next)) return next
  while (next < line.count && line.isGlued(next)) next += 1
  return next
}

/** True for words that tell something; "and" between two times does not. */
function isWord(token: Token | undefined): boolean {
  const [part] = token?.alternatives[0] ?? []
  return part?.is === 'word' && !time.AND.has(time.fold(part.text))
}

/** Words within a note that happen to name a day can also be just that. */
function withWord(line: Line, at: number, found: Found, before: Token | undefined, word: TextPart): PhrasePart[][] {
  const { alternatives, next } = found
  const [part] = alternatives[0] ?? []
  if (part?.is !== 'dates') return alternatives
  const isFollowed = isLetters(line, next) && !time.AND.has(line.text(next)) && !firstFound(line, next, undefined)
  const isShort = next === at + 1 && line.phrase(at, words.RISKY_DAYS) !== undefined
  const { days } = part
  const isLong = !('from' in days && days.from === days.to)
  const isAfterSmall = before !== undefined && words.SMALL_WORDS.has(time.fold(before.word.text))
  const isNamed = line.phrase(at, time.FIXED_DAYS) !== undefined || line.phrase(at, time.EASTER_DAYS) !== undefined
  const isLoose = isWord(before) && (isFollowed || isShort || isLong || isAfterSmall)
  return isLoose || ((isShort || isNamed) && isFollowed) ? [...alternatives, [word]] : alternatives
}

const isLetters = (line: Line, at: number) => /^\p{L}/u.test(line.text(at))
const one = (part: PhrasePart, next: number): Found => ({ alternatives: [[part]], next })

/** Reads a `!` of its own, `zählt nicht`, `doesn't count`. Before other words, it can be a part of a note. */
function notCounted(line: Line, at: number): Found | undefined {
  const said = line.phrase(at, words.NOT_COUNTED)
  if (!said) return undefined
  const text = line.slice(at, said.next)
  const word: PhrasePart[][] = text !== '!' && isLetters(line, said.next) ? [[{ is: 'word', text }]] : []
  return { alternatives: [[{ is: 'notCounted', text }], ...word], next: said.next }
}

/** Reads `#tag`, `@project`, `@"a project"`. */
function tags(line: Line, at: number): Found | undefined {
  const quoted = line.match(at, /@"[^"]+"/y)
  if (quoted) return one({ is: 'project', text: line.slice(at + 2, quoted.next - 1) }, quoted.next)
  const plain = line.match(at, /[#@][^\s,;)]+/y)
  const text = plain && line.slice(at + 1, plain.next).replaceAll('"', '')
  return text ? one({ is: line.text(at) === '#' ? 'tag' : 'project', text }, plain.next) : undefined
}

/** Reads `Pause 12-12:30`, `12-12:30 lunch`, `30 min pause`, `Pause 30`, `-30`, `ohne Pause`, `break`. */
function breaks(line: Line, at: number): Found | undefined {
  const without = line.phrase(at, words.WITHOUT)
  const none = without && line.phrase(without.next, words.BREAKS)
  if (none) return { alternatives: [[]], next: none.next }
  const minus = line.phrase(at, words.MINUS)
  const prefixed = minus?.next ?? line.skip(at, words.BREAK_PREFIXES)
  const opened = prefixed > at && line.text(prefixed) === '.' ? prefixed + 1 : prefixed
  const range = breakRange(line, at) ?? (minus ? undefined : breakRange(line, opened))
  return breakLength(line, opened, minus !== undefined) ?? range ?? bareBreak(line, opened)
}

function breakLength(line: Line, at: number, isTaken: boolean): Found | undefined {
  const named = line.phrase(at, words.BREAKS)
  const colon = named && [':', '-'].includes(line.text(named.next)) ? named.next + 1 : (named?.next ?? at)
  const from = line.skip(colon, time.OPENERS)
  const length = durationAt(line, from) ?? plainBreakAt(line, from)
  if (!length || !line.isEnd(length.next) || rangeAt(line, from)) return undefined
  const after = named ?? line.phrase(length.next, words.BREAKS)
  if (!isTaken && (!after || length.value > LONGEST_BREAK_MS)) return undefined
  // In "8h Pause 30" the word belongs to the minutes.
  if (!named && after && breakLength(line, length.next, false)) return undefined
  const more = named && moreLengths(line, length.next)
  const next = more?.next ?? (named ? length.next : (after?.next ?? length.next))
  const lengthMs = length.value + (more?.value ?? 0)
  const pause: PhrasePart = { is: 'breakLength', lengthMs, ...(isTaken && { isTaken }) }
  const word = named ? undefined : riskyBreak(line, length.next, next)
  return { alternatives: [[pause], ...(word ? [[{ is: 'length', lengthMs: length.value } as const, word]] : [])], next }
}

/** Reads the further breaks of `Pause 30 min und 15 min`. */
function moreLengths(line: Line, at: number): Match<number> | undefined {
  const from = afterJoin(line, at)
  const length = from === at || rangeAt(line, from) ? undefined : (durationAt(line, from) ?? plainBreakAt(line, from))
  if (!length || length.value > LONGEST_BREAK_MS || !line.isEnd(length.next) || isLetters(line, length.next))
    return undefined
  const more = moreLengths(line, length.next)
  return { value: length.value + (more?.value ?? 0), next: more?.next ?? length.next }
}

const afterJoin = (line: Line, at: number) => (line.text(at) === ',' ? at + 1 : line.skip(at, time.AND))

/** Reads `12-12:30, 15-15:15`: at least one range, and those that follow it, unless they need a comma or "and". */
function rangesAt(line: Line, at: number, isJoined: boolean): Match<ClockRange>[] {
  const ranges = rangeAt(line, at)
  if (!ranges || !line.isEnd(ranges.next)) return []
  const first = { value: itemAt(ranges.value, 0), next: ranges.next }
  const next = afterJoin(line, ranges.next)
  return [first, ...(next > ranges.next || !isJoined ? rangesAt(line, next, isJoined) : [])]
}

/** Reads `1:30` as a duration. */
function plainClockAt(line: Line, at: number): Match<number> | undefined {
  const hasDigits = line.digits(at, 1, 2) !== undefined && line.digits(at + 2, 2, 2) !== undefined
  const found = hasDigits ? clockDurationAt(line, at) : undefined
  return found?.next === at + 3 ? found : undefined
}

/** A break without a unit: `30` are minutes, `0:30` and `0,5` are hours. Around noon, `12` could be a time. */
function plainBreakAt(line: Line, at: number): Match<number> | undefined {
  const clock = plainClockAt(line, at)
  if (clock) return clock.value <= LONGEST_BREAK_MS ? clock : undefined
  const number = numberAt(line, at)
  if (!number || number.value <= 0) return undefined
  if (number.value <= 2) return { value: number.value * HOUR_MS, next: number.next }
  const isMinutes =
    Number.isInteger(number.value) && (number.value === 10 || (number.value > 14 && number.value <= 180))
  return isMinutes ? { value: number.value * MINUTE_MS, next: number.next } : undefined
}

function breakRange(line: Line, at: number): Found | undefined {
  const named = line.phrase(at, words.BREAKS)
  const from = named && line.text(named.next) === ':' ? named.next + 1 : (named?.next ?? at)
  const ranges = rangesAt(line, from, !named)
  const last = ranges.at(-1)
  if (!last) return undefined
  const asPart =
    (is: 'range' | 'breakRange') =>
    (range: Match<ClockRange>): PhrasePart => ({ ...range.value, is })
  const [pauses, works] = [ranges.map(asPart('breakRange')), ranges.map(asPart('range'))]
  if (named) {
    // Behind a break, a range may be work again; in "8-12 Pause 13-17" the break is what lies between.
    const mixed = pauses.map((_, index) => [
      ...pauses.slice(0, -index || undefined),
      ...works.slice(works.length - index),
    ])
    const isLong = lengthOf(itemAt(ranges, 0).value) > LONGEST_BREAK_MS / MINUTE_MS
    const between: PhrasePart[][] = ranges.length === 1 || isLong ? [[{ is: 'break' }, ...works]] : []
    return { alternatives: [...mixed, ...between], next: last.next }
  }
  const after = line.phrase(last.next, words.BREAKS)
  const isBefore = after && (breakLength(line, last.next, false) ?? rangeAt(line, after.next))
  if (!after || isBefore || !line.isEnd(after.next)) return undefined
  const word = riskyBreak(line, last.next, after.next)
  const mixed = pauses.map((_, index) => [...works.slice(0, index), ...pauses.slice(index)])
  return { alternatives: [...mixed, [...works, word ?? { is: 'break' }]], next: after.next }
}

const lengthOf = ({ start, end }: ClockRange) => Number(end) - Number(start)

/** Returns the word for a break as a word of a note, if it may be one. */
function riskyBreak(line: Line, at: number, next: number): PhrasePart | undefined {
  const isRisky = next === at + 1 && line.phrase(at, words.RISKY_BREAKS) !== undefined
  return isRisky && isLetters(line, next) ? { is: 'word', text: line.slice(at, next) } : undefined
}

function bareBreak(line: Line, at: number): Found | undefined {
  const named = line.phrase(at, words.BREAKS)
  return named && one({ is: 'break' }, named.next)
}

/** A day and a time of day, which begins at `clockFrom`. */
interface Moment {
  day: PhraseDay
  clock: ClockTime
  clockFrom: number
}

/** Reads `20.10. 20:00`, `gestern um 22 Uhr`, `2026-10-20T20:00`. */
function dayAndClockAt(line: Line, at: number): Match<Moment> | undefined {
  const day = dayAt(line, line.skip(at, time.ON))
  if (!day) return undefined
  const isIso = line.text(day.next) === 't' && line.isGlued(day.next)
  const clockFrom = line.skip(isIso || line.text(day.next) === ',' ? day.next + 1 : day.next, time.OPENERS)
  const clock = clockAt(line, clockFrom)
  return clock && { value: { day: day.value, clock: clock.value, clockFrom }, next: clock.next }
}

/** Reads `22:00 Mo`, `5pm yesterday`. */
function clockAndDayAt(line: Line, at: number): Match<Moment> | undefined {
  const clock = clockAt(line, at)
  const day = clock && dayAt(line, line.skip(clock.next, time.ON))
  return day && { value: { day: day.value, clock: clock.value, clockFrom: at }, next: day.next }
}

/** Reads `20.10. 20:00 - 21.10. 4:00`, `yesterday 10pm to today 6am`, and `since yesterday 8:00`. */
function moments(line: Line, at: number): Found | undefined {
  const since = line.phrase(at, time.SINCE)
  const opened = since?.next ?? line.skip(at, time.OPENERS)
  for (const momentAt of [dayAndClockAt, clockAndDayAt]) {
    const from = momentAt(line, opened)
    if (!from || from.value.clock.minutes === 'now') continue
    const { day, clock, clockFrom } = from.value
    const dates: PhrasePart = { is: 'dates', days: { from: day, to: day } }
    const joined = line.text(from.next) === '-' ? from.next + 1 : line.skip(from.next, time.UNTIL)
    const to = joined > from.next ? momentAt(line, joined) : undefined
    if (to) {
      const end = to.value.clock
      const times = { start: clock.minutes, end: end.minutes, isVague: false, clocks: [clock, end] as const }
      return { alternatives: [[dates, { is: 'range', ...times, until: to.value.day }]], next: to.next }
    }
    const isOther = joined > from.next || durationAt(line, clockFrom) !== undefined
    if (since && !isOther) return { alternatives: [[dates, { is: 'since', clock }]], next: from.next }
  }
  return undefined
}

function times(line: Line, at: number): Found | undefined {
  const range = rangeAt(line, at)
  const days = daysAt(line, at)
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
  const since = line.phrase(at, time.SINCE)
  const ago = since && durationAt(line, since.next)
  if (ago && line.isEnd(ago.next)) return one({ is: 'ago', lengthMs: toMinutes(ago.value) }, ago.next)
  const length = durationAt(line, at)
  if (length && line.isEnd(length.next)) return one({ is: 'length', lengthMs: toMinutes(length.value) }, length.next)
  return openTimes(line, at, since?.next)
}

/** `20.11-23.11` can be dates too. */
function datesIn(line: Line, at: number, next: number): PhrasePart[][] {
  const text = line.slice(at, next)
  const dotted = /^\d\d?\.\d\d?-\d\d?\.\d\d?$/.test(text) ? daysAt(lineOf(`${text.replace('-', '.-')}.`), 0) : undefined
  return dotted ? [[{ is: 'dates', days: dotted.value }]] : []
}

/** Reads `seit 9`, `ab 9 Uhr`, `9-`, `9am`, `bis 17`. */
function openTimes(line: Line, at: number, since: number | undefined): Found | undefined {
  const until = line.phrase(at, time.UNTIL)
  const end = until && clockAt(line, line.skip(until.next, time.OPENERS))
  if (end) return one({ is: 'until', clock: end.value }, end.next)
  const opened = since ?? line.skip(at, time.OPENERS)
  const start = clockAt(line, line.skip(opened, time.OPENERS))
  if (!start) return undefined
  const isOpen = line.text(start.next) === '-' && !line.isGlued(start.next + 1)
  const isClock = opened > at || isOpen || /[\p{L}]/u.test(line.slice(at, start.next))
  if (!isClock || start.value.minutes === 'now') return undefined
  return one({ is: 'since', clock: start.value }, isOpen ? start.next + 1 : start.next)
}

function nows(line: Line, at: number): Found | undefined {
  const clock = clockAt(line, line.skip(at, time.SINCE))
  return clock?.value.minutes === 'now' ? one({ is: 'since', clock: clock.value }, clock.next) : undefined
}

function absences(line: Line, at: number): Found | undefined {
  const absence = line.phrase(at, words.ABSENCES)
  if (absence) {
    const { kinds, isNoted, isMaybe } = absence.value
    const text = line.slice(at, absence.next)
    const alternatives = kinds.map((kind): PhrasePart[] => [
      { is: 'absence', kind, note: isNoted ? text : '', ...(isMaybe && { isMaybe }) },
    ])
    return { alternatives: isMaybe ? [...alternatives, [{ is: 'word', text }]] : alternatives, next: absence.next }
  }
  const number = numberAt(line, at)
  if (number && line.text(number.next) === '%' && number.value > 0 && number.value <= 100) {
    return one({ is: 'share', share: number.value / 100 }, number.next + 1)
  }
  const share = line.phrase(at, words.SHARES)
  const span = number && line.phrase(number.next, time.SPANS)
  if (span && number.value > 0 && !daysAt(line, at)) {
    if (number.value < 1) return one({ is: 'share', share: number.value }, span.next)
    return one({ is: 'span', count: number.value, unit: span.value }, span.next)
  }
  return share && one({ is: 'share', share: share.value }, share.next)
}

function dates(line: Line, at: number, before: Token | undefined): Found | undefined {
  const slashed = slashedDates(line, at)
  if (slashed) return slashed
  const days = daysAt(line, at)
  if (days) {
    const part: PhrasePart = { is: 'dates', days: days.value }
    const inDay = partOfDayAt(line, days.next) ?? eveningOf(line, at, days.next)
    return { alternatives: [inDay ? [part, inDay.value] : [part]], next: inDay?.next ?? days.next }
  }
  const part = partOfDayAt(line, at)
  if (part) {
    const isFollowed = isLetters(line, part.next)
    const isNoun = part.next === at + 1 && words.PARTS_AS_NOUNS.has(line.text(at))
    const isNote = isFollowed && (isNoun || isWord(before))
    return one(isNote ? { is: 'word', text: part.value.text } : { ...part.value, isName: isNoun }, part.next)
  }
  const isNoWeek = ['kw', 'cw'].includes(line.text(at)) && line.digits(at + 1, 1, 4) !== undefined
  return isNoWeek ? one({ is: 'noDate' }, at + 2) : undefined
}

type PartOfDayPart = Extract<PhrasePart, { is: 'partOfDay' }>

function partOfDayAt(line: Line, at: number): Match<PartOfDayPart> | undefined {
  const isMorning = line.text(at) === 'morgen' && line.text(at - 1) === 'heute'
  const found = isMorning ? { value: 'morning' as const, next: at + 1 } : line.phrase(at, time.PARTS_OF_DAY)
  if (!found) return undefined
  const isHalf = found.value !== 'night' && line.text(found.next - 1) !== 'frueh'
  return { value: { is: 'partOfDay', part: found.value, isHalf, text: line.slice(at, found.next) }, next: found.next }
}

function eveningOf(line: Line, at: number, next: number): Match<PartOfDayPart> | undefined {
  const isTonight = line.text(at) === 'tonight'
  return isTonight ? { value: { is: 'partOfDay', part: 'evening', isHalf: true, text: 'tonight' }, next } : undefined
}

/** Behind slashes, the order of day and month is not the same everywhere. */
function slashedDates(line: Line, at: number): Found | undefined {
  const found = line.match(at, /\d\d?\/\d\d?\/\d{4}(?!\d)/y)
  const orders = (['dmy', 'mdy'] as const).flatMap((order) => {
    const day = found && dayAt(line, at, order)
    return day ? [day] : []
  })
  const [first, second] = orders
  if (!first) return undefined
  const isSame = JSON.stringify(first.value) === JSON.stringify(second?.value)
  const days = second && !isSame ? [first, second] : [first]
  return {
    alternatives: days.map(({ value }) => [{ is: 'dates', days: { from: value, to: value } }]),
    next: first.next,
  }
}

/** Reads numbers without a unit: hours, a time, a date, the minutes of a break. */
function numbers(line: Line, at: number, before: Token | undefined): Found | undefined {
  const clock = plainClockAt(line, at)
  const number = clock ? { value: clock.value / HOUR_MS, next: clock.next } : numberAt(line, at)
  const digits = line.digits(at, 1, 2)
  if (!number || (digits === undefined && line.text(at) !== '½')) return undefined
  if ([':', '/'].includes(line.text(number.next)) && line.isGlued(number.next)) return undefined
  const isWhole = number.next === at + 1
  if (isWhole && isWord(before) && at + 1 < line.count) return undefined
  const { value: hours, next } = number
  const isTime = isWhole || clock !== undefined || /^\d\d$/.test(line.text(next - 1))
  const start = isTime && line.text(at + 1) !== ',' ? clockAt(line, at) : undefined
  const isDate = line.text(at + 1) === '.' && line.digits(at + 2, 1, 2) !== undefined
  const date = isDate ? daysAt(lineOf(`${line.slice(at, at + 3)}.`), 0) : undefined
  const pause = before?.alternatives.some((parts) => parts.some(({ is }) => is === 'range'))
    ? plainBreakAt(line, at)
    : undefined
  const alternatives: PhrasePart[][] = []
  if (hours > 0 && hours <= LONGEST_PLAIN_HOURS)
    alternatives.push([{ is: 'length', lengthMs: Math.round(hours * HOUR_MS), isPlain: true }])
  if (start?.next === next) alternatives.push([{ is: 'since', clock: start.value, ...(isWhole && { isPlain: true }) }])
  if (pause) alternatives.push([{ is: 'breakLength', lengthMs: pause.value }])
  if (date) alternatives.push([{ is: 'dates', days: date.value }])
  const isBeforeWord = isWhole && isLetters(line, next)
  if (isWord(before) || isBeforeWord || (pause && isWhole))
    alternatives.push([{ is: 'word', text: line.slice(at, next) }])
  return alternatives.length > 0 ? { alternatives, next } : undefined
}
