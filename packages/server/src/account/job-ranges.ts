import { DAY_MS, type DateRange, itemAt, utcDate, utcMidnight } from '@saldo/core'

/** Returns ranges in order that do not overlap. A date has the other fields of the last given range that has it. */
export function disjointRanges<Range extends DateRange>(given: readonly Range[]): Range[] {
  const days = given.map(({ from, to }) => ({ first: utcMidnight(from), end: utcMidnight(to) + DAY_MS }))
  const borders = [...new Set(days.flatMap(({ first, end }) => [first, end]))].sort((a, b) => a - b)
  const beginning = Map.groupBy(given.keys(), (index) => days[index]?.first)
  const ending = Map.groupBy(given.keys(), (index) => days[index]?.end)
  const current = new Set<number>()
  const ranges: { range: Range; index: number }[] = []
  for (const [at, border] of borders.entries()) {
    for (const index of ending.get(border) ?? []) current.delete(index)
    for (const index of beginning.get(border) ?? []) current.add(index)
    const next = borders[at + 1]
    if (current.size === 0 || next === undefined) continue
    const index = Math.max(...current)
    const to = utcDate(next - DAY_MS)
    const last = ranges.at(-1)
    if (last?.index === index) last.range.to = to
    else ranges.push({ range: { ...itemAt(given, index), from: utcDate(border), to }, index })
  }
  return ranges.map(({ range }) => range)
}

/**
 * Joins neighbours of ranges that are in order until there are at most `max`, since each piece of a job stores the rest
 * of its ranges. A joined range has the other fields of its first.
 */
export function joinToAtMost<Range extends DateRange>(ranges: readonly Range[], max: number): Range[] {
  if (ranges.length <= max) return [...ranges]
  const pairs = ranges.flatMap((range, index) => {
    if (index % 2 === 1) return []
    return [{ ...range, to: (ranges[index + 1] ?? range).to }]
  })
  return joinToAtMost(pairs, max)
}
