import type { LocalDate } from '@saldo/core'
import type { CalendarDay } from '../calendar-days.ts'
import type { Holiday, YearOfHolidays } from './holidays.ts'

/** A holiday that can be entered, or why it need not be. */
export interface Choice {
  holiday: Holiday
  /**
   * `entered`: the day is one already; `outside`: before the account begins; `free`: nothing is to be worked on it
   * anyway.
   */
  state: 'new' | 'entered' | 'outside' | 'free'
  isChosen: boolean
}

/** What a person answered in place of what is proposed. */
export type Answers = ReadonlyMap<LocalDate, boolean>

/** The holidays of a year with what is proposed: those that are free by law and would be days of work. */
export function choicesOf(
  { free, others }: YearOfHolidays,
  isWithOthers: boolean,
  days: ReadonlyMap<LocalDate, CalendarDay>,
  answers: Answers,
): Choice[] {
  const proposed = new Set(free.map(({ date }) => date))
  const shown = [...free, ...(isWithOthers ? others : [])].sort((a, b) => (a.date < b.date ? -1 : 1))
  return shown.map((holiday) => {
    const state = stateOf(days.get(holiday.date))
    const isProposed = state === 'new' && proposed.has(holiday.date)
    const isChosen = state !== 'entered' && (answers.get(holiday.date) ?? isProposed)
    return { holiday, state, isChosen }
  })
}

function stateOf(day: CalendarDay | undefined): Choice['state'] {
  if (day?.absences.some(({ record }) => record.kind === 'public_holiday')) return 'entered'
  if (!day?.counts) return 'outside'
  return day.plannedMs > 0 ? 'new' : 'free'
}
