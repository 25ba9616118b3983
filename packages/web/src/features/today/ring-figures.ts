import type { DayFigures } from '@saldo/core'

/** The ring's figures: what counts for the day, and which part of the circle that is; `beyond` is a second round. */
export interface RingFigures {
  countedMs: number
  targetMs: number
  /** 0 to 1. */
  share: number
  beyond: number
}

/** Work counts as the account counts it, without the break that is deducted and with what is credited. */
export function ringOf({ worked_ms, deducted_break_ms, credited_ms, target_ms }: DayFigures): RingFigures {
  const countedMs = worked_ms - deducted_break_ms + credited_ms
  const share = target_ms > 0 ? countedMs / target_ms : countedMs > 0 ? 1 : 0
  return {
    countedMs,
    targetMs: target_ms,
    share: Math.min(1, share),
    beyond: target_ms > 0 ? Math.min(1, Math.max(0, share - 1)) : 0,
  }
}
