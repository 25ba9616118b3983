import { defaultRangeExtractor, type Range } from '@tanstack/react-virtual'

/**
 * The rows that are drawn where those from one to another are in sight: some more on both sides, which are there when the list
 * moves on. Where none of those in sight is of those before, as where the bar is dragged, there are none: they would be
 * others again in the next frame, and took a third of it. Whoever scrolls draws once more at the end, with what is then before.
 */
export function rowsDrawn(inSight: Range, before: Pick<Range, 'startIndex' | 'endIndex'> | null): number[] {
  const isElsewhere = before && (inSight.startIndex > before.endIndex || inSight.endIndex < before.startIndex)
  return defaultRangeExtractor(isElsewhere ? { ...inSight, overscan: 0 } : inSight)
}
