import { defaultRangeExtractor, type Range } from '@tanstack/react-virtual'

/** What is drawn of a list that scrolls. */
export interface Drawn {
  /** The rows in sight, of how many, and how many more are drawn on both sides. */
  inSight: Range
  /** The rows that are drawn, in order. */
  rows: number[]
  /** Whether, since the list rested, all rows in sight were others at once. */
  hasJumped: boolean
  /** Whether they are again and again, so that nobody could read them: none of those in sight is drawn. */
  isFar: boolean
}

/**
 * What is drawn next: the rows in sight, and some more on both sides, which are there when the list moves on. Where none of those
 * in sight was before, there are no more. Where that is so again before the list has rested, as where the bar is dragged, all rows
 * stay where they were, out of sight: they cost nothing there, and their elements are used again when the list is slower or
 * rests, of which it tells.
 */
export function rowsDrawn(inSight: Range, before: Drawn | null, isScrolling: boolean): Drawn {
  // Of another list, nothing is known.
  const known = before?.inSight.count === inSight.count ? before : null
  if (known && isScrolling && isSame(inSight, known.inSight)) return known
  const isElsewhere = known !== null && isApart(inSight, known.inSight)
  const hasJumped = known !== null && isScrolling && known.hasJumped
  if (isElsewhere && hasJumped) return { inSight, rows: known.rows, hasJumped, isFar: true }
  const rows = defaultRangeExtractor(isElsewhere ? { ...inSight, overscan: 0 } : inSight)
  return { inSight, rows, hasJumped: hasJumped || (isElsewhere && isScrolling), isFar: false }
}

function isSame(a: Range, b: Range): boolean {
  return a.startIndex === b.startIndex && a.endIndex === b.endIndex
}

function isApart(a: Range, b: Range): boolean {
  return a.startIndex > b.endIndex || a.endIndex < b.startIndex
}
