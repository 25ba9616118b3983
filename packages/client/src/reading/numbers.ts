import type { Line, Match } from './line.ts'
import { allValues, type Reading, readingOfValues } from './reading.ts'
import { AND_A_HALF, fold, NUMBERS } from './words.ts'

/** Reads `2`, `7,5`, `7.5`, `.5`, `½`, `1½`, `1 1/2`, `zwei`; `,5` only at the start of a line. */
export function numberAt(line: Line, at: number): Match<number> | undefined {
  const word = line.phrase(at, NUMBERS)
  if (word) {
    const half = line.phrase(word.next, AND_A_HALF)
    return half ? { value: word.value + 0.5, next: half.next } : word
  }
  const half = line.match(at, /(?:(\d{1,4}) ?([¼½¾])|(?:(\d{1,4}) )?1\/2(?!\d))/y)
  if (half) {
    const [, before, sign = '½', whole = before] = half.value
    return { value: Number(whole ?? 0) + (NUMBERS.get(sign) ?? 0), next: half.next }
  }
  const decimal =
    line.match(at, /\d{1,6}(?!\d)(?:[,.]\d{1,6}(?!\d))?/y) ??
    line.match(at, at === 0 ? /[,.]\d{1,6}(?!\d)/y : /\.\d{1,6}(?!\d)/y)
  return decimal && { value: Number(decimal.value[0].replace(',', '.')), next: decimal.next }
}

const GROUPED = /^([1-9]\d{0,2}(?:([.,' \u2019])\d{3})(?:\2\d{3})*)(?:(?!\2)[.,](\d+))?$/
const PLAIN = /^(\d*)(?:[.,](\d*))?$/

/**
 * Returns the value of digits with signs between them; `undefined` if they are no number. Signs that come again, or of
 * which another one comes last, group thousands. One point or comma is that of the decimals, unless `isGrouped` and
 * three digits follow it.
 */
export function decimalValue(text: string, isGrouped: boolean): number | undefined {
  const [, whole, sign = '', decimals] = GROUPED.exec(text) ?? []
  const isOneSign = '.,'.includes(sign) && whole?.indexOf(sign) === whole?.lastIndexOf(sign)
  if (whole !== undefined && (isGrouped || decimals !== undefined || !isOneSign)) {
    return Number(`${whole.replaceAll(sign, '')}.${decimals ?? 0}`)
  }
  const [, before = '', after = ''] = PLAIN.exec(text) ?? []
  return before === '' && after === '' ? undefined : Number(`${before || 0}.${after || 0}`)
}

/** The sign before a number, and what follows it. */
export function splitSign(text: string): { sign: 1 | -1; rest: string } {
  const [, sign = '', rest = ''] = /^([+-]?)\s*(.*)$/s.exec(fold(text.trim())) ?? []
  return { sign: sign === '-' ? -1 : 1, rest }
}

/** Returns what digits with signs between them can mean: `1,250` is a number with decimals, or in the thousands. */
export function decimalValues(text: string): number[] {
  const values = [decimalValue(text, false), decimalValue(text, true)]
  return [...new Set(values.filter((value) => value !== undefined))]
}

/** Reads a text that is a number and nothing else: `30`, `30,5`, `28.0`, `−1`, `½`, `1.250,5`. */
export function readNumber(text: string): Reading<number> {
  const { sign, rest } = splitSign(text)
  const half = /^(\d*)½$/.exec(rest)
  const values = half ? [Number(half[1]) + 0.5] : decimalValues(rest.replaceAll(/\s/g, ' '))
  return readingOfValues(values.map((value) => sign * value || 0))
}

/**
 * Reads a percentage above 0 and up to 100, with or without its sign, as a share of 1. Without the sign, `0,5` can be
 * the share itself.
 */
export function readPercent(text: string): Reading<number> {
  const trimmed = text.trim()
  const [sign = ''] = /(?:%|prozent|percent)$/i.exec(trimmed) ?? []
  const values = allValues(readNumber(trimmed.slice(0, trimmed.length - sign.length)))
  const shares = values.flatMap((value) => (sign === '' && value < 1 ? [value, value / 100] : [value / 100]))
  return readingOfValues(shares.filter((share) => share > 0 && share <= 1))
}
