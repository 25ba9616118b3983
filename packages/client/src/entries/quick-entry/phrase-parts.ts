import type { AbsenceContent } from '@saldo/core'
import type { Line } from '../../reading/line.ts'
import type { ClockRange, ClockTime, PartOfDay } from '../../reading/times.ts'
import { AND, fold } from '../../reading/words.ts'
import type { Days, PhraseDay } from '../../reading/written-days.ts'

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
  /** `isMaybe` if they are a number that may as well count something, `isNight` for the night behind a day. */
  | { is: 'dates'; days: Days; isMaybe?: true; isNight?: true }
  /** Days that are left out of the others. */
  | { is: 'except'; days: readonly Days[] }
  /** Says that the times are of each of several days. */
  | { is: 'each' }
  /** `isHalf` if it is a half of the day for whoever is off, `isName` if it may as well be the name of something. */
  | { is: 'partOfDay'; part: PartOfDay; isHalf: boolean; isName?: boolean; text: string }
  /** `isMaybe` if its word is about work as often, `isSick` if it is of sickness, also of a child. */
  | { is: 'absence'; kind: AbsenceContent['kind']; note: string; isMaybe?: true; isSick?: true }
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

export interface FoundPiece {
  alternatives: PhrasePart[][]
  next: number
}

/** The combinations double with each piece that has two meanings: beyond this number, a line is read no further. */
const MOST_COMBINATIONS = 64

/** Returns the lists that have one of the choices of each place, the likeliest first. */
export function combinations<T>(places: readonly (readonly T[])[]): T[][] {
  let lists: T[][] = [[]]
  for (const choices of places) {
    const [only, other] = choices
    // Most places have one choice: it is added to the lists that there are.
    if (only !== undefined && other === undefined) for (const list of lists) list.push(only)
    else lists = extended(lists, choices)
  }
  return lists
}

function extended<T>(lists: readonly T[][], choices: readonly T[]): T[][] {
  const found: T[][] = []
  for (const list of lists) {
    for (const choice of choices) {
      if (found.length >= MOST_COMBINATIONS) return found
      found.push([...list, choice])
    }
  }
  return found
}

/** True for words that tell something; "and" between two times does not. */
export function isWord(token: Token | undefined): boolean {
  const [part] = token?.alternatives[0] ?? []
  return part?.is === 'word' && !AND.has(fold(part.text))
}

/** True if a word begins here. */
export const isLetters = (line: Line, at: number) => /^\p{L}/u.test(line.text(at))
export const one = (part: PhrasePart, next: number): FoundPiece => ({ alternatives: [[part]], next })
