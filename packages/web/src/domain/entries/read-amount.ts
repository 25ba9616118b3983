import { readTime } from '@saldo/client/entries'
import { type DurationMs, MINUTE_MS } from '@saldo/core'
import { parseHours } from '../../ui/parse-hours.ts'

const BETWEEN_TIMES = /-|–|—|\bbis\b|\bto\b/i
const DAY_MINUTES = 1_440

/** Reads an amount of time: a duration such as `1:30` or `1.5`, or a span of time such as `9:00–10:30`. */
export function readAmount(text: string): DurationMs | undefined {
  const [from = '', to, ...others] = text.split(BETWEEN_TIMES)
  if (to === undefined || others.length > 0) return parseHours(text)
  const [start, end] = [from, to].map((time) => readTime(time.replaceAll(/\s/g, '')))
  if (start === undefined || end === undefined) return undefined
  return ((end - start + DAY_MINUTES) % DAY_MINUTES) * MINUTE_MS
}
