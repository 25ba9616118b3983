import { type DateRange, haveDate, isJsonObject, type LocalDate } from '@saldo/core'

/**
 * Returns what a company sees of the data of a row: of a record as it was or is on other dates than those of the
 * membership, nothing, and of working hours that began before it, that they are those of its first date (D24.3).
 */
export function dataOfMembership(
  data: Record<string, unknown>,
  memberDates: readonly DateRange[],
): Record<string, unknown> {
  const seen = (state: unknown) => (isJsonObject(state) ? stateOfMembership(state, memberDates) : state)
  return Object.fromEntries(
    Object.entries(data).map(([name, value]): [string, unknown] => [
      name,
      name === 'before' || name === 'after' ? seen(value) : value,
    ]),
  )
}

/** Returns what a company sees of the content of a record by its dates, null for nothing. */
export function stateOfMembership(
  state: Record<string, unknown>,
  memberDates: readonly DateRange[],
): Record<string, unknown> | null {
  const { effective_from: from } = state
  const [first] = memberDates
  if (typeof from === 'string') return first && from < first.from ? { ...state, effective_from: first.from } : state
  // Instants begin with their date.
  const dates = [state.date, state.effective_date, state.started_at, state.ended_at].flatMap((date) => {
    return typeof date === 'string' ? (date.slice(0, 10) as LocalDate) : []
  })
  return dates.some((date) => haveDate(memberDates, date)) ? state : null
}
