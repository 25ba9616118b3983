import { type AbsenceSize, type DurationMs, MINUTE_MS, shareOfDay } from '@saldo/core'
import { parseHours } from '../../ui/parse-hours.ts'
import { readTime } from '../wall-time.ts'

export const WHOLE_DAY: AbsenceSize = { day_share: 1, amount_ms: null }

export function sizeOfShare(share: number): AbsenceSize {
  return { day_share: share, amount_ms: null }
}

export function sizeOfAmount(amountMs: DurationMs): AbsenceSize {
  return { day_share: null, amount_ms: amountMs }
}

/** True if a size is one that a record can have. */
export function isSize({ day_share, amount_ms }: AbsenceSize): boolean {
  return amount_ms === null ? day_share > 0 && day_share <= 1 : amount_ms > 0
}

const BILLION = 1_000_000_000

/**
 * Returns as much of a size as other absences leave of a day, `undefined` if they leave nothing. Where amounts of time
 * are among them, the rest is an amount too.
 */
export function sizeLeft(
  wanted: AbsenceSize,
  others: readonly AbsenceSize[],
  plannedMs: DurationMs,
): AbsenceSize | undefined {
  const hasAmount = (size: AbsenceSize) => size.amount_ms !== null
  // Where no work is planned, an amount is no part of the day.
  if (plannedMs === 0 && hasAmount(wanted)) return wanted
  const taken = plannedMs === 0 ? others.filter((size) => !hasAmount(size)) : others
  const takenShare = taken.reduce((sum, size) => sum + shareOfDay(size, plannedMs), 0)
  if (wanted.amount_ms === null && !taken.some(hasAmount)) {
    const share = Math.min(wanted.day_share, Math.round((1 - takenShare) * BILLION) / BILLION)
    return share > 0 ? sizeOfShare(share) : undefined
  }
  const leftMs = Math.floor((1 - takenShare) * plannedMs + 1e-3)
  if (leftMs <= 0) return undefined
  return (wanted.amount_ms ?? wanted.day_share * plannedMs) <= leftMs ? wanted : sizeOfAmount(leftMs)
}

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
