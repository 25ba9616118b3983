import type { LocalDate } from '@saldo/core'
import type { CalendarDay } from '../calendar-days.ts'
import type { Holiday, YearOfHolidays } from './holidays.ts'

/** A holiday that the user can enter. */
export interface Choice {
  holiday: Holiday
  /** `entered` already, `outside` the account, or on a day without a target (`free`). */
  state: 'new' | 'entered' | 'outside' | 'free'
  isChosen: boolean
}

/** Proposes the holidays that are free by law on days with a target. `decisions` are those of the user, by date. */
export function choicesOf(
  { free, others }: YearOfHolidays,
  isWithOthers: boolean,
  days: ReadonlyMap<LocalDate, CalendarDay>,
  decisions: ReadonlyMap<LocalDate, boolean>,
): Choice[] {
  const proposed = new Set(free.map(({ date }) => date))
  const shown = [...free, ...(isWithOthers ? others : [])].sort((a, b) => (a.date < b.date ? -1 : 1))
  return shown.map((holiday) => {
    const state = stateOf(days.get(holiday.date))
    const isProposed = state === 'new' && proposed.has(holiday.date)
    const isChosen = state !== 'entered' && (decisions.get(holiday.date) ?? isProposed)
    return { holiday, state, isChosen }
  })
}

function stateOf(day: CalendarDay | undefined): Choice['state'] {
  if (day?.absences.some(({ record }) => record.kind === 'public_holiday')) return 'entered'
  if (!day?.counts) return 'outside'
  return day.plannedMs > 0 ? 'new' : 'free'
}
