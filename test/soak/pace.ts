/** A time that passes faster than the computer's: it is `startMs` at the computer's `realStartMs`. */
export interface Pace {
  startMs: number
  realStartMs: number
  /** Factor of the speed. */
  speed: number
}

/** Returns the fast time at a moment of the computer's clock, in whole milliseconds. */
export function fastNow({ startMs, realStartMs, speed }: Pace, realMs: number): number {
  return Math.floor(startMs + (realMs - realStartMs) * speed)
}
