import {
  type BoardRow,
  type LocalDate,
  type Month,
  type MonthAction,
  type MonthResult,
  monthAfter,
  monthOf,
} from '@saldo/core'
import { parseMonth } from '../away/away-model.ts'

/** The month of an address, and the person whose sheet is shown. */
export interface BoardPlace {
  month: Month
  user: number | undefined
}

/** Parses a part of an address, such as `2026-11` or `2026-11-42`; without one, the last month that has ended. */
export function parsePlace(part: string | undefined, today: LocalDate): BoardPlace | undefined {
  if (part === undefined) return { month: monthAfter(monthOf(today), -1), user: undefined }
  const [, monthText, user] = /^(\d{4}-\d{2})(?:-(\d{1,16}))?$/.exec(part) ?? []
  const month = monthText === undefined ? undefined : parseMonth(monthText, today)
  return month && { month, user: user === undefined ? undefined : Number(user) }
}

/** Returns the address of the months of others, or of the sheet of one of them. */
export function pathOfPlace(month: Month, user?: number): string {
  return `/team/board/${month}${user === undefined ? '' : `-${user}`}`
}

/** Returns the chosen people among those who are shown, in the order of the list. */
export function chosenAmong(rows: readonly BoardRow[], chosen: ReadonlySet<number>): BoardRow[] {
  return rows.filter(({ user_id }) => chosen.has(user_id))
}

/** Actions of a lead or HR on months. */
export type BoardAction = Extract<MonthAction, 'lock' | 'return' | 'reopen'>

/** Returns the people with the states that an act gave their month: the board follows within a minute (D30.1). */
export function withOutcomes(
  rows: readonly BoardRow[],
  act: { action: BoardAction; results: readonly MonthResult[] } | undefined,
): BoardRow[] {
  const state = act?.action === 'lock' ? 'locked' : 'open'
  const reached = (act?.results ?? []).filter(({ outcome }) => outcome !== 'rejected')
  const users = new Set(reached.map(({ user_id }) => user_id))
  return rows.map((row) => (users.has(row.user_id) ? { ...row, state } : row))
}

/** Returns how many people each outcome has. */
export function outcomeCounts(results: readonly MonthResult[]): Record<MonthResult['outcome'], number> {
  const count = (outcome: MonthResult['outcome']) => results.filter((result) => result.outcome === outcome).length
  return { changed: count('changed'), unchanged: count('unchanged'), rejected: count('rejected') }
}
