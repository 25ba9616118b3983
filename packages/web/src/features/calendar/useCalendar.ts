import { useDays, useEntries } from '@saldo/client/react'
import { type Entry, type LocalDate, type Settings, settingsOn, type Timeline } from '@saldo/core'
import { useTimeline, useToday } from '../../domain/account/TimelineProvider.tsx'
import { type CalendarDay, calendarDays } from './calendar-days.ts'
import { datesOfPeriod, type Period } from './period.ts'

export interface Calendar {
  period: Period
  today: LocalDate
  timeline: Timeline<Settings>
  /** 1 for Monday to 7. */
  weekStartsOn: number
  /** All days of the year of the period. */
  days: Map<LocalDate, CalendarDay>
  /** The entries that touch the year. */
  entries: Entry[]
}

/** Returns a period with the data of its year; `undefined` while it loads. */
export function useCalendar(period: Period): Calendar | undefined {
  const shownTimeline = useTimeline()
  const today = useToday()
  const { timeline } = shownTimeline
  const { from, to } = datesOfPeriod({ year: period.year, month: undefined })
  const forecast = useDays({ from, to })
  const rows = useEntries({ from, to })
  if (!forecast || !rows) return undefined
  return {
    period,
    today,
    timeline,
    weekStartsOn: settingsOn(timeline, today)?.week_starts_on ?? 1,
    days: calendarDays({ from, to }, shownTimeline, forecast, rows),
    entries: rows.map(({ record }) => record),
  }
}
