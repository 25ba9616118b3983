import { useDays, useLive, useSaldo } from '@saldo/client/react'
import {
  addDays,
  type ClosedWeek,
  datesOfWeek,
  type Entry,
  type IsoWeek,
  type LocalDate,
  MINUTE_MS,
  mondayOf,
  type Settings,
  settingsOn,
  type Timeline,
  type WeekHint,
  weekHint,
} from '@saldo/core'
import { useMemo } from 'react'
import { useNow } from '../../context/clock.ts'
import { useTimeline } from '../../domain/account/TimelineProvider.tsx'
import { useToday } from '../../domain/account/useToday.ts'
import { type ClosingIssue, closingIssues } from './closing-issues.ts'
import { hintedWeeks, workedByWeek } from './long-weeks.ts'
import { rowsTouching, type WeekDay, type WeekSums, weekDays, weekSums } from './week-days.ts'

export interface Week {
  week: IsoWeek
  dates: LocalDate[]
  today: LocalDate
  days: WeekDay[]
  sums: WeekSums
  /** The entries that touch the week. */
  entries: Entry[]
  timeline: Timeline<Settings>
  /** Present if the service closed the week. */
  closed: ClosedWeek | undefined
  issues: ClosingIssue[]
}

/** Returns a week for display; `undefined` while it loads. */
export function useWeek(week: IsoWeek): Week | undefined {
  const saldo = useSaldo()
  const { timeline } = useTimeline()
  const nowMs = useNow(MINUTE_MS)
  const today = useToday()
  const from = mondayOf(week)
  const to = addDays(from, 6)
  const forecast = useDays({ from, to })
  const rows = useLive(
    useMemo(
      // Includes the days around it: before there are settings, the client may cut days by another zone.
      () => saldo.entries.between({ from: addDays(from, -1), to: addDays(to, 1) }),
      [saldo, from, to],
    ),
  )
  const closedWeeks = useLive(useMemo(() => saldo.account.closedWeeks(), [saldo]))
  const longWeeks = useLongWeeks(week)
  if (!forecast || !rows || !closedWeeks) return undefined

  const touching = rowsTouching({ from, to }, rows, timeline, nowMs)
  const entries = touching.map(({ record }) => record)
  const around = rows.map(({ record }) => record)
  const days = weekDays(forecast, entries, timeline, today, nowMs)
  const unsentCount = touching.filter(({ pending }) => pending).length
  return {
    week,
    dates: datesOfWeek(week),
    today,
    days,
    sums: weekSums(days),
    entries,
    timeline,
    closed: closedWeeks.find((closed) => closed.week === week),
    issues: closingIssues(days, around, timeline, unsentCount, addDays(to, 1), longWeeks),
  }
}

/** Returns the hint of a week whose work is too long on average; `undefined` while it loads or without hints. */
function useLongWeeks(week: IsoWeek): WeekHint | undefined {
  const { timeline } = useTimeline()
  const to = addDays(mondayOf(week), 6)
  const country = settingsOn(timeline, to)?.hints
  const { from } = country ? hintedWeeks(to, country) : { from: to }
  const days = useDays({ from, to })
  return country && days ? weekHint(country, workedByWeek(days)) : undefined
}
