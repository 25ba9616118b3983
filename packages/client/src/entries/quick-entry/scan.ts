import { type AbsenceContent, HOUR_MS, itemAt, MINUTE_MS } from '@saldo/core'
import { type Days, daysAt } from '../../reading/dates.ts'
import { clockDurationAt, durationAt, toMinutes } from '../../reading/durations.ts'
import { type Line, lineOf, type Match } from '../../reading/line.ts'
import { numberAt } from '../../reading/numbers.ts'
import { type ClockRange, type ClockTime, clockAt, rangeAt } from '../../reading/times.ts'
import * as time from '../../reading/words.ts'
import * as words from './words.ts'

/** One thing that a line says. */
export type PhrasePart =
  | ({ is: 'range' } & ClockRange)
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
  | { is: 'absence'; kind: AbsenceContent['kind']; note: string }
  | { is: 'share'; share: number }
  | { is: 'span'; count: number; unit: 'day' | 'week' }
  | { is: 'tag' | 'project' | 'word' | 'notCounted'; text: string }
  /** Looks like a date, and is none. */
  | { is: 'noDate' }

export type TextPart = Extract<PhrasePart, { text: string }>

export function isTextPart(part: PhrasePart): part is TextPart {
  return 'text' in part
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

/** The first rule that fits takes its words, so that longer phrases come first. */
const RULES: readonly Rule[] = [notCounted, tags, breaks, times, absences, dates, numbers, nows]

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
    } else if (/[\p{L}\d]/u.test(word.text)) {
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
    case 'dates':
      // Without its part of the day, as in "gestern Vormittag 9-12".
      return alternatives[0]?.[1]?.is === 'share' ? [part] : undefined
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
  const isLoose = isWord(before) && (isFollowed || isShort || isLong || isAfterSmall)
  return isLoose || (isShort && isFollowed) ? [...alternatives, [word]] : alternatives
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
  return breakLength(line, opened, minus !== undefined) ?? breakRange(line, at) ?? bareBreak(line, opened)
}

function breakLength(line: Line, at: number, isTaken: boolean): Found | undefined {
  const named = line.phrase(at, words.BREAKS)
  const colon = named && [':', '-'].includes(line.text(named.next)) ? named.next + 1 : (named?.next ?? at)
  const from = line.skip(colon, time.OPENERS)
  const length = durationAt(line, from) ?? plainBreakAt(line, from)
  if (!length || !line.isEnd(length.next) || rangeAt(line, from)) return undefined
  const after = named ?? line.phrase(length.next, words.BREAKS)
  if ((!after && !isTaken) || length.value > LONGEST_BREAK_MS) return undefined
  // In "8h Pause 30" the word belongs to the minutes.
  if (!named && after && breakLength(line, length.next, false)) return undefined
  const next = named ? length.next : (after?.next ?? length.next)
  const pause: PhrasePart = { is: 'breakLength', lengthMs: length.value, ...(isTaken && { isTaken }) }
  const word = named ? undefined : riskyBreak(line, length.next, next)
  return { alternatives: [[pause], ...(word ? [[{ is: 'length', lengthMs: length.value } as const, word]] : [])], next }
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
  const range = rangeAt(line, from)
  if (!range || !line.isEnd(range.next)) return undefined
  const times = itemAt(range.value, 0)
  const pause: PhrasePart = { ...times, is: 'breakRange' }
  // In "8-12 Pause 13-17" the break is what lies between.
  if (named) return { alternatives: [[pause], [{ is: 'break' }, { ...times, is: 'range' }]], next: range.next }
  const after = line.phrase(range.next, words.BREAKS)
  const isBefore = after && (breakLength(line, range.next, false) ?? rangeAt(line, after.next))
  if (!after || isBefore || !line.isEnd(after.next)) return undefined
  const work: PhrasePart = { ...times, is: 'range' }
  const word = riskyBreak(line, range.next, after.next)
  return { alternatives: [[pause], [work, word ?? { is: 'break' }]], next: after.next }
}

/** Returns the word for a break as a word of a note, if it may be one. */
function riskyBreak(line: Line, at: number, next: number): PhrasePart | undefined {
  const isRisky = next === at + 1 && line.phrase(at, words.RISKY_BREAKS) !== undefined
  return isRisky && isLetters(line, next) ? { is: 'word', text: line.slice(at, next) } : undefined
}

function bareBreak(line: Line, at: number): Found | undefined {
  const named = line.phrase(at, words.BREAKS)
  return named && one({ is: 'break' }, named.next)
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
    const note = absence.value.isNoted ? line.slice(at, absence.next) : ''
    return { alternatives: absence.value.kinds.map((kind) => [{ is: 'absence', kind, note }]), next: absence.next }
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
  const days = daysAt(line, at)
  if (days) {
    const isMorning = line.text(days.next) === 'morgen'
    const next = isMorning ? days.next + 1 : line.skip(days.next, time.PARTS_OF_DAY)
    const isHalf = next > days.next && line.text(next - 1) !== 'frueh'
    const part: PhrasePart = { is: 'dates', days: days.value }
    return { alternatives: [isHalf ? [part, { is: 'share', share: 0.5 }] : [part]], next }
  }
  const part = line.phrase(at, time.PARTS_OF_DAY)
  if (part && before) return one({ is: 'share', share: 0.5 }, part.next)
  const isNoWeek = ['kw', 'cw'].includes(line.text(at)) && line.digits(at + 1, 1, 4) !== undefined
  return isNoWeek ? one({ is: 'noDate' }, at + 2) : undefined
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
