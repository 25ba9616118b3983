import { fold } from './words.ts'

/** A run of digits, a run of letters, or one other character. */
interface Lexeme {
  /** Folded. */
  text: string
  /** Its place in the source. */
  from: number
  to: number
}

/** Something that was read, and the index of the lexeme after it. */
export interface Match<T> {
  value: T
  next: number
}

/** A line of text as lexemes. All indexes are of lexemes; beyond the end, nothing matches. */
export interface Line {
  source: string
  count: number
  text(at: number): string
  /** True if there is no space before the lexeme. */
  isGlued(at: number): boolean
  /** True if a phrase can begin here: after a space or a separator. */
  isStart(at: number): boolean
  /** True if a phrase can end before here. */
  isEnd(at: number): boolean
  /** Returns the match of a sticky pattern in the folded text from here, if it ends with a lexeme. */
  match(at: number, pattern: RegExp): Match<RegExpExecArray> | undefined
  /** Digits of a length, such as 2 for a day of a month. */
  digits(at: number, shortest: number, longest: number): string | undefined
  /** The longest of some phrases; a hyphen within words counts as a space. */
  phrase<T>(at: number, table: ReadonlyMap<string, T>): Match<T> | undefined
  /** The index after a phrase, or the same index. */
  skip(at: number, table: ReadonlyMap<string, unknown>): number
  slice(at: number, next: number): string
}

const LEXEMES = /\d+|\p{L}+|[^\s\d\p{L}]/gu
const LONGEST_PHRASE = 5
const SEPARATORS = new Set([',', ';', '+', '&', '/', '(', '[', ')', ']', ':'])
const ENDS = new Set([',', ';', '+', '&', '/', ')', ']', '!', '?', ':'])

export function lineOf(written: string): Line {
  const source = written.normalize()
  const lexemes: Lexeme[] = [...source.matchAll(LEXEMES)].map(({ 0: text, index }) => ({
    text: fold(text),
    from: index,
    to: index + text.length,
  }))
  const text = (at: number) => lexemes[at]?.text ?? ''
  const isGlued = (at: number) => at > 0 && at < lexemes.length && lexemes[at]?.from === lexemes[at - 1]?.to
  /** True for the colon of `9:00`, before which nothing ends: "May 9:00-12" is not 9 May. */
  const isInClock = (at: number) =>
    text(at) === ':' && isGlued(at + 1) && /^\d/.test(text(at - 1)) && /^\d\d$/.test(text(at + 1))
  const isEnd = (at: number) =>
    !isGlued(at) ||
    (ENDS.has(text(at)) && !isInClock(at)) ||
    (text(at) === '.' && !isGlued(at + 1) && text(at - 1) !== '.')

  /** The folded text with single spaces, the place of each lexeme in it, and the lexeme after each place. */
  let plain = ''
  const starts: number[] = []
  const nextByEnd = new Map<number, number>()
  for (const [at, lexeme] of lexemes.entries()) {
    if (at > 0 && !isGlued(at)) plain += ' '
    starts.push(plain.length)
    plain += lexeme.text
    nextByEnd.set(plain.length, at + 1)
  }

  function phrase<T>(at: number, table: ReadonlyMap<string, T>): Match<T> | undefined {
    let words = text(at)
    let next = at + 1
    let found: Match<T> | undefined
    for (let count = 1; count <= LONGEST_PHRASE && words !== ''; count += 1) {
      const value = table.get(words)
      if (value !== undefined) found = { value, next }
      const isHyphen = text(next) === '-' && isGlued(next) && isGlued(next + 1)
      words = next < lexemes.length ? `${words} ${text(isHyphen ? next + 1 : next)}` : ''
      next += isHyphen ? 2 : 1
    }
    return found
  }

  function match(at: number, pattern: RegExp): Match<RegExpExecArray> | undefined {
    const start = starts[at]
    if (start === undefined) return undefined
    pattern.lastIndex = start
    const found = pattern.exec(plain)
    const next = found && found[0] !== '' ? nextByEnd.get(start + found[0].length) : undefined
    return found && next !== undefined ? { value: found, next } : undefined
  }

  return {
    source,
    count: lexemes.length,
    text,
    isGlued,
    isStart: (at) => !isGlued(at) || SEPARATORS.has(text(at - 1)),
    isEnd,
    digits(at, shortest, longest) {
      const found = text(at)
      return /^\d+$/.test(found) && found.length >= shortest && found.length <= longest ? found : undefined
    },
    match,
    phrase,
    skip: (at, table) => phrase(at, table)?.next ?? at,
    slice: (at, next) => source.slice(lexemes[at]?.from, lexemes[next - 1]?.to),
  }
}

/** Returns the index after a phrase that is no part of a code: the "ab" of "AB1200" is none. */
export function skipOpener(line: Line, at: number, table: ReadonlyMap<string, unknown>): number {
  const next = line.skip(at, table)
  return line.isGlued(next) && /^\p{L}/u.test(line.text(next - 1)) ? at : next
}

/** Returns the index after a sign between two times or days, such as `-`, `→`, `->`, `..` or `~`; or the same index. */
export function skipHyphen(line: Line, at: number): number {
  return line.match(at, /[-=]>|[-→~…]|\.{2,3}/y)?.next ?? at
}

/** The most characters of a text that is one duration, date or time of day: a longer one is none, and is not read. */
export const LONGEST_TEXT = 200

/** Returns what a whole text is, if a grammar reads all of it. */
export function wholeText<T>(text: string, read: (line: Line, at: number) => Match<T> | undefined): T | undefined {
  if (text.length > LONGEST_TEXT) return undefined
  const line = lineOf(text)
  const found = read(line, 0)
  return found && found.next === line.count ? found.value : undefined
}
