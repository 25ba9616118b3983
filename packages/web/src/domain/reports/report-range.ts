import {
  addDays,
  type DateRange,
  daysBetween,
  FIRST_DATE,
  LAST_DATE,
  type LocalDate,
  mondayOf,
  weekOf,
} from '@saldo/core'

export const rangePresets = [
  'this-week',
  'last-week',
  'this-month',
  'last-month',
  'this-year',
  'last-year',
  'all',
] as const
/** A range that moves along with today. */
export type RangePreset = (typeof rangePresets)[number]

/** Returns the dates of a preset on the date `today`. */
export function presetRange(preset: RangePreset, today: LocalDate): DateRange {
  const monday = mondayOf(weekOf(today))
  const year = 12 * Number(today.slice(0, 4))
  const month = monthIndex(today)
  switch (preset) {
    case 'this-week':
      return { from: monday, to: addDays(monday, 6) }
    case 'last-week':
      return { from: addDays(monday, -7), to: addDays(monday, -1) }
    case 'this-month':
      return wholeMonths(month, 1)
    case 'last-month':
      return wholeMonths(month - 1, 1)
    case 'this-year':
      return wholeMonths(year, 12)
    case 'last-year':
      return wholeMonths(year - 12, 12)
    case 'all':
      return { from: FIRST_DATE, to: LAST_DATE }
  }
}

/** Returns the preset that has these dates today, if there is one. */
export function presetOf(range: DateRange, today: LocalDate): RangePreset | undefined {
  return rangePresets.find((preset) => {
    const { from, to } = presetRange(preset, today)
    return from === range.from && to === range.to
  })
}

/**
 * Returns the range just before or after another, as long as it: whole months beside whole months. `undefined` if it
 * would not lie within the years 1 to 9999.
 */
export function neighbourRange({ from, to }: DateRange, direction: -1 | 1): DateRange | undefined {
  if (from === FIRST_DATE || to === LAST_DATE) return undefined
  const days = daysBetween(from, to) + 1
  const room = direction < 0 ? daysBetween(FIRST_DATE, from) : daysBetween(to, LAST_DATE)
  if (room < days) return undefined
  const next = addDays(to, 1)
  if (!from.endsWith('-01') || !next.endsWith('-01')) {
    return { from: addDays(from, direction * days), to: addDays(to, direction * days) }
  }
  const count = monthIndex(next) - monthIndex(from)
  return wholeMonths(monthIndex(from) + direction * count, count)
}

/** Counts the months since the year 0. */
function monthIndex(date: LocalDate): number {
  return 12 * Number(date.slice(0, 4)) + Number(date.slice(5, 7)) - 1
}

function wholeMonths(index: number, count: number): DateRange {
  return { from: firstOfMonth(index), to: addDays(firstOfMonth(index + count), -1) }
}

function firstOfMonth(index: number): LocalDate {
  const year = String(Math.floor(index / 12)).padStart(4, '0')
  return `${year}-${String((index % 12) + 1).padStart(2, '0')}-01` as LocalDate
}
