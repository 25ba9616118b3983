import { HOUR_MS } from '@saldo/core'
import { AND, fold } from '../../reading/words.ts'
import type { PhraseDay } from '../../reading/written-days.ts'
import { isWord, type PhrasePart, type Token } from './phrase-parts.ts'

/**
 * Returns the tokens of a line with an absence: `20.11-23.11` are dates then, a number can be a day or count days, and
 * a number of days has to fit. In "9-11 vacation planning" the work may be about a vacation.
 */
export function withAbsences(tokens: Token[]): Token[] {
  if (!tokens.some((token) => isOf(token, 'absence'))) return tokens
  const listed = listedDays(tokens)
  const fitting = tokens.map((token, index): Token => {
    const { alternatives, fallback, word } = token
    const isSpan = isOf(token, 'span')
    const day = listed.get(index) ?? dayAlone(tokens, index)
    const dates = alternatives.filter(([part]) => part?.is === 'dates')
    const days = day ? [[day]] : dates
    const counts = countsOf(alternatives)
    const words = alternatives.filter(([part]) => part?.is === 'word')
    const after = tokens[index + 1]
    const isOfWord = numberOf(token) !== undefined && isWord(after) && numberOf(after) === undefined
    const others =
      isOfWord || counts.length === 0 ? alternatives : alternatives.filter((parts) => !words.includes(parts))
    const sure = isOfWord ? [...days, ...words] : days
    const open = listed.has(index) ? [...days, ...counts, ...others] : [...counts, ...days, ...others]
    return {
      alternatives: days.length > 0 && !day?.isMaybe ? sure : open,
      fallback: isSpan ? undefined : fallback,
      word,
    }
  })
  const has = (kind: PhrasePart['is']) => fitting.some((token) => isOf(token, kind))
  if (!has('range') && !(has('length') && has('word'))) return fitting
  return fitting.map((token) =>
    isOf(token, 'absence') ? { ...token, alternatives: [...token.alternatives, [token.word]] } : token,
  )
}

const isOf = (token: Token | undefined, kind: PhrasePart['is']) => token?.alternatives[0]?.[0]?.is === kind

/** "0,5 Urlaub" is half a day or half an hour. */
function countsOf(alternatives: readonly PhrasePart[][]): PhrasePart[][] {
  const lengths = alternatives.flatMap(([part]) => (part?.is === 'length' && part.isPlain ? [part.lengthMs] : []))
  const [lengthMs, other] = lengths
  if (lengthMs === undefined || other !== undefined) return []
  const count = lengthMs / HOUR_MS
  // Nobody takes nine tenths of a day off.
  if (!Number.isInteger(4 * count)) return []
  return [[count < 1 ? { is: 'share', share: count } : { is: 'span', count, unit: 'day' }]]
}

type DayPart = Extract<PhrasePart, { is: 'dates' }>

function dayPart(day: PhraseDay, isMaybe: boolean): DayPart {
  return { is: 'dates', days: { from: day, to: day }, ...(isMaybe && { isMaybe }) }
}

/** The number of `8`, `8.` and `8,`, if it can be that of a day. */
function numberOf(token: Token | undefined): number | undefined {
  const number = Number(/^(\d\d?)\.?,?$/.exec(token?.word.text ?? '')?.[1])
  return number >= 1 && number <= 31 ? number : undefined
}

/** Returns the numbers that follow or precede a date in order, as in `Dec 7, 8 and 9` and `7, 8 Dec`, by index. */
function listedDays(tokens: readonly Token[]): Map<number, DayPart> {
  const found = new Map<number, DayPart>()
  for (const [index, { alternatives }] of tokens.entries()) {
    const [part] = alternatives[0] ?? []
    const day =
      part?.is === 'dates' && 'from' in part.days && part.days.from === part.days.to ? part.days.from : undefined
    if (day?.is !== 'date' || day.month === undefined) continue
    const { weekday: _, ...month } = day
    for (const step of [-1, 1]) {
      const list: { at: number; number: number }[] = []
      let isJoined = false
      for (let at = index + step, last = day.day; ; at += step) {
        const number = numberOf(tokens[at])
        const isAnd = isOf(tokens[at], 'word') && AND.has(fold(tokens[at]?.word.text ?? ''))
        if (isAnd) isJoined = true
        else if (number === undefined || (number - last) * step <= 0) break
        else {
          list.push({ at, number })
          last = number
        }
      }
      const isMaybe = list.length < 2 && !isJoined
      for (const { at, number } of list) found.set(at, dayPart({ ...month, day: number }, isMaybe))
    }
  }
  return found
}

/** In a line without dates, the only number may be a day: `Urlaub 3.`. */
function dayAlone(tokens: readonly Token[], index: number): DayPart | undefined {
  const number = numberOf(tokens[index])
  const isDated = tokens.some(({ alternatives }) =>
    alternatives.some((parts) => parts.some(({ is }) => is === 'dates' || is === 'range')),
  )
  if (number === undefined || isDated || isWord(tokens[index - 1])) return undefined
  return dayPart({ is: 'date', day: number }, !tokens[index]?.word.text.includes('.'))
}
