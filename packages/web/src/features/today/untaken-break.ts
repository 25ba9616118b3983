import { coveredBy, difference, type EntryContent, type Interval } from '@saldo/core'

/**
 * True if a recorded break lies before the first work of a day or, once the day is over, after the last one. The break
 * rules do not count it as taken (D3.49); a break over midnight counts (D3.54).
 */
export function hasUntakenBreak(entries: readonly EntryContent[], window: Interval, isOver: boolean): boolean {
  const breaks = coveredBy('break', entries, window)
  const worked = difference(coveredBy('work', entries, window), breaks)
  const [first, last] = [worked[0], worked.at(-1)]
  if (!first || !last) return false
  return breaks.some(
    ({ start, end }) =>
      (start > window.start && end <= first.start) || (isOver && start >= last.end && end < window.end),
  )
}
