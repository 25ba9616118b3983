import { type Line, lineOf } from '../../reading/line.ts'
import * as time from '../../reading/words.ts'
import { breaks } from './break-rules.ts'
import { absences, beforeOrdinal, dates, slashedDates } from './day-rules.ts'
import { type FoundPiece, isLetters, isWord, one, type PhrasePart, type TextPart, type Token } from './phrase-parts.ts'
import { TIMED_PARTS } from './plan.ts'
import { moments, nows, numbers, times } from './time-rules.ts'
import * as words from './words.ts'

type Rule = (line: Line, at: number, before: Token | undefined) => FoundPiece | undefined

/** Marks between the pieces of a line, which say nothing. */
const MARKS = /^[.,;:/|()[\]'"\u00b7\u2022\u2010-\u2015\u2212-]*$/

/** `9a-5p`, as Americans write it. */
const SHORT_HALVES = /\b(\d{1,2}(?::\d\d)?[ap])( ?[-–] ?\d{1,2}(?::\d\d)?[ap])\b/gi

/** `Montagabend`, which is `Montag Abend`. */
const WEEKDAY_PARTS =
  /\b((?:mon|dien|donner|frei|sam|sonn)s?tag|mittwoch)s?(morgen|früh|(?:vor|nach)mittag|abend|nacht)s?(?!\p{L})/giu
/** `8h/day`, which is `8h / day`. */
const HOURS_A_DAY = /(?<=\d ?(?:h|std|stunden|hours|hrs)\.?)\/(?=(?:tag|day)(?!\p{L}))/giu

/** The first rule that fits takes its words, so that longer phrases come first. */
const RULES: readonly Rule[] = [notCounted, tags, breaks, moments, slashedDates, times, absences, dates, numbers, nows]

/** Returns the pieces of a line. The names of projects are known. */
export function scan(source: string, known: readonly string[]): Token[] {
  const line = lineOf(
    source
      .replace(/(?<!\p{L})([ap])\.m\./giu, '$1m')
      .replace(SHORT_HALVES, '$1m$2m')
      .replace(WEEKDAY_PARTS, '$1 $2')
      .replace(HOURS_A_DAY, ' / '),
  )
  const tokens: Token[] = []
  const names = namesByCount(known)
  for (let at = 0; at < line.count; ) {
    const before = tokens.at(-1)
    const isStart = line.isStart(at) || line.text(at) === '!'
    const found = isStart ? (knownProject(line, at, names) ?? firstFound(line, at, before)) : undefined
    const next = found?.next ?? wordEnd(line, at)
    const word: TextPart = { is: 'word', text: withoutBrackets(line.slice(at, next)) }
    if (found) {
      const alternatives = withWord(line, at, found, before, word)
      tokens.push({ alternatives, fallback: fallbackOf(line, found, before, word), word })
    } else if (!MARKS.test(word.text)) {
      const isDateLike = /^\d\d?\.\d\d?\.(?:\D|$)/.test(word.text)
      tokens.push({ alternatives: [[isDateLike ? { is: 'noDate' } : word]], fallback: undefined, word })
    } else if (
      /^[-\u2010-\u2015\u2212]$/.test(word.text) &&
      isDates(before) &&
      isDates(firstFound(line, next, undefined))
    ) {
      // Two days that are no range, for a sign that says that they are one.
      tokens.push({ alternatives: [[word]], fallback: undefined, word })
    }
    at = next
  }
  return tokens
}

const isDates = (found: FoundPiece | Token | undefined) =>
  found?.alternatives.some(([part]) => part?.is === 'dates') === true

/** Returns a word without the brackets around it and other words; those of `f(x)` are its own. */
function withoutBrackets(text: string): string {
  const inner = text.replace(/^\(/, '')
  return inner.includes('(') ? inner : inner.replace(/[;)](?=,?$)/, '')
}

/** Returns what a piece means if it does not fit. Times have to fit, unless they stand within a note. */
function fallbackOf(
  line: Line,
  { alternatives, next }: FoundPiece,
  before: Token | undefined,
  word: PhrasePart,
): PhrasePart[] | undefined {
  const [part] = alternatives[0] ?? []
  switch (part?.is) {
    case 'dates': {
      const second = alternatives[0]?.[1]
      if (second?.is === 'partOfDay') return [part, { is: 'word', text: second.text }]
      return beforeOrdinal(line, part.days, next)
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

function firstFound(line: Line, at: number, before: Token | undefined): FoundPiece | undefined {
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

/** Words within a note that happen to name a day can also be just that. */
function withWord(
  line: Line,
  at: number,
  found: FoundPiece,
  before: Token | undefined,
  word: TextPart,
): PhrasePart[][] {
  const { alternatives, next } = found
  const [part] = alternatives[0] ?? []
  if (part?.is !== 'dates') return alternatives
  const isFollowed = isLetters(line, next) && !time.AND.has(line.text(next)) && !firstFound(line, next, undefined)
  const { days } = part
  const day = 'from' in days ? days.from : undefined
  // "the 2nd floor"
  const isOrdinal = time.ORDINALS.has(line.text(next - 1)) && day?.is === 'date' && day.month === undefined
  const isWeekday = next === at + 1 || (next === at + 2 && line.text(at + 1) === '.')
  const isShort = isOrdinal || (isWeekday && line.phrase(at, words.RISKY_DAYS) !== undefined)
  const isLong = !('from' in days && days.from === days.to)
  const isAfterSmall = before !== undefined && words.SMALL_WORDS.has(time.fold(before.word.text))
  const isDistance = day?.is === 'days' && line.phrase(at, time.DAYS) === undefined
  const named = line.phrase(at, time.FIXED_DAYS) ?? line.phrase(at, time.EASTER_DAYS)
  const isNamed = named !== undefined || isDistance
  const isLoose = isWord(before) && (isFollowed || isShort || isLong || isAfterSmall)
  return isLoose || ((isShort || isNamed) && isFollowed) ? [...alternatives, [word]] : alternatives
}

/** Reads a `!` of its own, `zählt nicht`, `doesn't count`. Before other words, it can be a part of a note. */
function notCounted(line: Line, at: number, before: Token | undefined): FoundPiece | undefined {
  const said = line.phrase(at, words.NOT_COUNTED)
  if (!said) return undefined
  const text = line.slice(at, said.next)
  if (text === '!' && line.isGlued(at)) {
    const isBehindTime = before?.alternatives.some(([part]) => part && TIMED_PARTS.has(part.is))
    return isBehindTime ? { alternatives: [[{ is: 'notCounted', text }], []], next: said.next } : undefined
  }
  const word: PhrasePart[][] = text !== '!' && isLetters(line, said.next) ? [[{ is: 'word', text }]] : []
  return { alternatives: [[{ is: 'notCounted', text }], ...word], next: said.next }
}

/** Returns the folded names by their number of lexemes: a line looks up each of its `@` in them. */
function namesByCount(names: readonly string[]): Map<number, Set<string>> {
  const byCount = Map.groupBy(names, (name) => lineOf(name).count)
  return new Map([...byCount].map(([count, same]) => [count, new Set(same.map(time.fold))]))
}

/** Reads the longest known name behind `@`, as in `@Big House` and `@Building 7`. */
function knownProject(line: Line, at: number, known: ReadonlyMap<number, ReadonlySet<string>>): FoundPiece | undefined {
  if (line.text(at) !== '@' || !line.isGlued(at + 1)) return undefined
  const nexts = [...known].flatMap(([count, names]) => {
    const next = at + 1 + count
    return count > 0 && line.isEnd(next) && names.has(time.fold(line.slice(at + 1, next))) ? [next] : []
  })
  const next = Math.max(at, ...nexts)
  return next > at ? one({ is: 'project', text: line.slice(at + 1, next) }, next) : undefined
}

/** Reads `#tag`, `@project`, `@project#tag`, `@"a project"`, also in the quotes of phones: `@„a project“`. */
function tags(line: Line, at: number): FoundPiece | undefined {
  const quoted = line.match(at, /@["'“”„‚‘«»]([^"'“”‘«»]+)["'“”‘«»]/y)
  if (quoted) return one({ is: 'project', text: line.slice(at + 2, quoted.next - 1) }, quoted.next)
  const plain = line.match(at, /[#@][^\s,;)]+/y)
  if (!plain) return undefined
  const texts = line
    .slice(at, plain.next)
    .replaceAll('"', '')
    .split(/(?<=[\p{L}\d])(?=#\p{L})/u)
  const parts = texts.map((text): PhrasePart => ({ is: text.startsWith('#') ? 'tag' : 'project', text: text.slice(1) }))
  return texts[0] === '#' || texts[0] === '@' ? undefined : { alternatives: [parts], next: plain.next }
}
