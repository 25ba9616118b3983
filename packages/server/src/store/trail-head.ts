import type { TrailPosition } from '@saldo/core'

/** The last row of a trail, and the last that has gone by itself, behind which the rest begins (D29.4, D29.7). */
export interface TrailHead extends TrailPosition {
  from: TrailPosition
  /** True once HR has changed records of the user, which later edits can override (D28.5). */
  hasHrChanges?: boolean
}
