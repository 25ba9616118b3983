import { type DateRange, datesIn, type LocalDate, plannedOn, type Settings, type Timeline } from '@saldo/core'
import { rangesOf } from '../../reading/dates.ts'
import type { QuickContext } from './plan.ts'
import type { PhrasePart } from './scan.ts'

/** Returns what the days of a line can mean: lists of ranges, the likeliest first; the given one without any. */
export function rangesIn(parts: readonly PhrasePart[], context: QuickContext, isAhead: boolean): DateRange[][] {
  const { defaultDate, today } = context
  const said = parts.flatMap((part) => (part.is === 'dates' ? [part.days] : []))
  if (said.length === 0) return [[{ from: defaultDate, to: defaultDate }]]
  return said.reduce<DateRange[][]>(
    (lists, days) => {
      const found = rangesOf(days, defaultDate, { today, isAhead }).filter(({ from, to }) => from <= to)
      return lists.flatMap((list) => found.map((range) => [...list, range]))
    },
    [[]],
  )
}

/** Returns the dates of ranges; of a range of several days, those with a target if there are any. */
export function workdaysIn(ranges: readonly DateRange[], timeline: Timeline<Settings>): LocalDate[] {
  const dates = ranges.flatMap((range) => {
    const all = [...datesIn(range)]
    const planned = all.filter((date) => plannedOn(timeline, date) > 0)
    return planned.length === 0 ? all : planned
  })
  return [...new Set(dates)].sort()
}
