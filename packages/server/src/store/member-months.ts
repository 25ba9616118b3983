import { type MemberMonths, type Month, monthAfter } from '@saldo/core'
import { readColumn } from './json-columns.ts'

const BETWEEN = '..'
const LENGTH = '2026-01'.length

/**
 * Returns the column of a member's months. Months that follow each other are one run, such as `2026-01..2026-12`: each
 * push writes the counter row, and 240 months written out would take it beyond a page.
 */
export function memberMonthsColumn({ locked, submitted }: MemberMonths): string {
  return JSON.stringify({ locked: runsOf(locked), submitted: runsOf(submitted) })
}

/** Returns the months of a column. */
export function readMemberMonths(column: string): MemberMonths {
  const { locked, submitted } = readColumn('memberMonths', column)
  return { locked: locked.flatMap(monthsOfRun), submitted: submitted.flatMap(monthsOfRun) }
}

/** Returns the last month of a column; null if it has none. */
export function lastMemberMonth(column: string): Month | null {
  const { locked, submitted } = readColumn('memberMonths', column)
  // A run ends with its last month.
  const ends = [locked, submitted].flatMap((runs) => runs.at(-1)?.slice(-LENGTH) ?? [])
  return (ends.toSorted().at(-1) ?? null) as Month | null
}

function runsOf(months: readonly Month[]): string[] {
  const runs: [first: Month, last: Month][] = []
  for (const month of months) {
    const run = runs.at(-1)
    if (run && monthAfter(run[1], 1) === month) run[1] = month
    else runs.push([month, month])
  }
  return runs.map(([first, last]) => (first === last ? first : first + BETWEEN + last))
}

/** Counts by itself, since each push of a member reads up to 240 months. */
function monthsOfRun(run: string): Month[] {
  const [first, last = first] = run.split(BETWEEN) as [Month, Month?]
  const months = [first]
  let [year, month] = [Number(first.slice(0, 4)), Number(first.slice(5))]
  for (let next = first; next < last; months.push(next)) {
    year += month === 12 ? 1 : 0
    month = (month % 12) + 1
    next = `${String(year).padStart(4, '0')}-${month < 10 ? '0' : ''}${month}` as Month
  }
  return months
}
