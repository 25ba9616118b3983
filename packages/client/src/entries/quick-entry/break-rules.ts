import { HOUR_MS, itemAt, MINUTE_MS } from '@saldo/core'
import { clockDurationAt, durationAt, hoursOfDecimals } from '../../reading/durations.ts'
import type { Line, Match } from '../../reading/line.ts'
import { numberAt } from '../../reading/numbers.ts'
import { type ClockRange, clockAt, rangeAt, wholeNumberAt } from '../../reading/times.ts'
import * as time from '../../reading/words.ts'
import { type FoundPiece, isLetters, one, type PhrasePart } from './phrase-parts.ts'
import * as words from './words.ts'

export const LONGEST_BREAK_MS = 3 * HOUR_MS

/** Reads `Pause 12-12:30`, `12-12:30 lunch`, `30 min pause`, `Pause 30`, `-30`, `ohne Pause`, `break`. */
export function breaks(line: Line, at: number): FoundPiece | undefined {
  const without = line.phrase(at, words.WITHOUT)
  const none =
    line.phrase(at, words.NO_BREAKS) ?? (without && line.phrase(without.next, words.BREAKS)) ?? noneBehind(line, at)
  if (none) return { alternatives: [[]], next: none.next }
  const minus = line.phrase(at, words.MINUS)
  const prefixed = minus?.next ?? line.skip(at, words.BREAK_PREFIXES)
  const opened = prefixed > at && line.text(prefixed) === '.' ? prefixed + 1 : prefixed
  const range = breakRange(line, at) ?? (minus ? undefined : breakRange(line, opened))
  // In "with an hour for lunch", the "an" is a number.
  const spoken = minus || range || opened <= at + 1 ? undefined : breakLength(line, at + 1, false)
  return (
    breakFrom(line, opened) ??
    countedBreaks(line, opened) ??
    breakLength(line, opened, minus !== undefined) ??
    spoken ??
    range ??
    bareBreak(line, opened)
  )
}

/** Reads `Pause: keine`, `Pause 0`. */
function noneBehind(line: Line, at: number): Match<unknown> | undefined {
  const named = line.phrase(at, words.BREAKS)
  const from = named && line.text(named.next) === ':' ? named.next + 1 : named?.next
  const none = from && (line.match(from, /0(?: ?min)?(?![\p{L}\d:.,-])/uy) ?? line.phrase(from, words.WITHOUT))
  return none && !isLetters(line, none.next) ? none : undefined
}

/** Reads `2 Pausen à 15 min`, `two 15 minute breaks`, `2x 15 min Pause`, `Pause 2 x 15 min`. */
function countedBreaks(line: Line, at: number): FoundPiece | undefined {
  const first = line.phrase(at, words.BREAKS)
  const count = wholeNumberAt(line, first?.next ?? at, time.HOUR_WORDS)
  const named = first ?? (count && line.phrase(count.next, words.BREAKS))
  if (!count || (!named && count.value < 2)) return undefined
  const behind = Math.max(count.next, named?.next ?? 0)
  const from = line.skip(behind, named && !first ? words.EACH_OF : words.TIMES)
  if (first && from === behind) return undefined
  const length = durationAt(line, from) ?? (named && plainBreakAt(line, from))
  const next = length && (named ? length.next : line.phrase(length.next, words.BREAKS)?.next)
  if (!length || !next || count.value * length.value > LONGEST_BREAK_MS) return undefined
  // "2 breaks 30 min" does not say whether each is as long, or both together.
  const counts = named && from === behind ? new Set([count.value, 1]) : [count.value]
  const alternatives = [...counts].map((times): PhrasePart[] => [{ is: 'breakLength', lengthMs: times * length.value }])
  return { alternatives, next }
}

/** Reads `Pause um 12 für 30 min`, `30 min lunch at noon`. */
function breakFrom(line: Line, at: number): FoundPiece | undefined {
  const length = durationAt(line, at)
  const named = line.phrase(length?.next ?? at, words.BREAKS)
  const opened = named && (line.phrase(named.next, words.AT) ?? timeWithLengthAt(line, named.next))
  const clock = opened && clockAt(line, opened.next)
  if (!clock || clock.value.minutes === 'now') return undefined
  const comma = line.text(clock.next) === ',' ? clock.next + 1 : clock.next
  const after = length ? undefined : durationAt(line, line.skip(comma, words.AT))
  const lengthMs = (length ?? after)?.value
  if (lengthMs === undefined || lengthMs > LONGEST_BREAK_MS) return undefined
  const { minutes } = clock.value
  const end = { ...clock.value, minutes: minutes + lengthMs / MINUTE_MS }
  const part: PhrasePart = {
    is: 'breakRange',
    start: minutes,
    end: end.minutes,
    isVague: false,
    clocks: [clock.value, end],
  }
  return one(part, after?.next ?? clock.next)
}

/** True for a time that can only be one before a length: `12:30 45 min`, `12 Uhr 30 min`. */
function timeWithLengthAt(line: Line, at: number): { next: number } | undefined {
  const clock = clockAt(line, at)
  const isTime = line.match(at, /(?:[5-9]|1\d|2[0-3])(?:[:.]\d\d| ?uhr| ?[ap]m)/y) !== undefined
  return clock && isTime && durationAt(line, clock.next) ? { next: at } : undefined
}

function breakLength(line: Line, at: number, isTaken: boolean): FoundPiece | undefined {
  const named = line.phrase(at, words.BREAKS)
  const colon = named && [':', '-'].includes(line.text(named.next)) ? named.next + 1 : (named?.next ?? at)
  const from = line.skip(colon, time.OPENERS)
  // In "lunch at 1", the number is a time of day.
  const length = durationAt(line, from) ?? (line.phrase(colon, words.AT_TIME) ? undefined : plainBreakAt(line, from))
  if (!length || !line.isEnd(length.next) || rangeAt(line, from)) return undefined
  const after = named ?? line.phrase(line.skip(length.next, words.FOR), words.BREAKS)
  if (!isTaken && (!after || length.value > LONGEST_BREAK_MS)) return undefined
  // In "8h Pause 30" the word belongs to the minutes.
  if (!named && after && breakLength(line, length.next, false)) return undefined
  const more = named && moreLengths(line, length.next)
  const next = more?.next ?? (named ? length.next : (after?.next ?? length.next))
  const lengthMs = length.value + (more?.value ?? 0)
  const pause: PhrasePart = { is: 'breakLength', lengthMs, ...(isTaken && { isTaken }) }
  const word = named ? undefined : riskyBreak(line, length.next, next)
  const clock = more ? undefined : clockOfDecimals(line, from, length)
  const other: PhrasePart[][] = clock === undefined ? [] : [[{ ...pause, lengthMs: clock }]]
  return {
    alternatives: [...other, [pause], ...(word ? [[{ is: 'length', lengthMs: length.value } as const, word]] : [])],
    next,
  }
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

/** Reads `1:30` and `1:30:00` as a duration. */
export function plainClockAt(line: Line, at: number): Match<number> | undefined {
  const hasDigits = line.digits(at, 1, 2) !== undefined && line.digits(at + 2, 2, 2) !== undefined
  const found = hasDigits ? clockDurationAt(line, at) : undefined
  return found && [at + 3, at + 5].includes(found.next) ? found : undefined
}

/** Returns the minutes that the decimals of a break can be: `0.30` is half an hour as often as eighteen minutes. */
export function clockOfDecimals(line: Line, at: number, { value, next }: Match<number>): number | undefined {
  const [clock = value] = /^\d[.,]\d\d$/.test(line.slice(at, next)) ? hoursOfDecimals(line.slice(at, next)) : []
  return clock === value ? undefined : clock
}

/** A break without a unit: `30` are minutes, `0:30` and `0,5` are hours. Around noon, `12` could be a time. */
export function plainBreakAt(line: Line, at: number): Match<number> | undefined {
  const clock = plainClockAt(line, at)
  if (clock) return clock.value <= LONGEST_BREAK_MS ? clock : undefined
  const number = numberAt(line, at)
  if (!number || number.value <= 0) return undefined
  if (number.value <= 2) return { value: number.value * HOUR_MS, next: number.next }
  const isMinutes =
    Number.isInteger(number.value) && (number.value === 10 || (number.value > 14 && number.value <= 180))
  return isMinutes ? { value: number.value * MINUTE_MS, next: number.next } : undefined
}

function breakRange(line: Line, at: number): FoundPiece | undefined {
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
  const isBefore =
    after &&
    (breakFrom(line, last.next) ??
      breakLength(line, last.next, false) ??
      breakRange(line, last.next) ??
      noneBehind(line, last.next))
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

function bareBreak(line: Line, at: number): FoundPiece | undefined {
  const named = line.phrase(at, words.BREAKS)
  return named && one({ is: 'break' }, named.next)
}
