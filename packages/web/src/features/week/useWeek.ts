import type { Row } from '@saldo/client'
import {
  addDays,
  type ClosedWeek,
  datesOfWeek,
  type Entry,
  type IsoWeek,
  type LocalDate,
  MINUTE_MS,
  type Settings,
  type Timeline,
} from '@saldo/core'
import { useMemo } from 'react'
import { useNow } from '../../context/clock.tsx'
import { useSaldo } from '../../context/saldo.tsx'
import { useLive } from '../../context/useLive.ts'
import { useTimeline } from '../../domain/account/TimelineProvider.tsx'
import { useToday } from '../../domain/account/useToday.ts'
import { type Missing, missingIn } from './missing.ts'
import { rowsTouching, type WeekDay, type WeekSums, weekDays, weekSums } from './week-days.ts'

export interface Week {
  week: IsoWeek
  dates: LocalDate[]
  today: LocalDate
  days: WeekDay[]
  sums: WeekSums
  /** Those that touch the week. */
  entries: Entry[]
  timeline: Timeline<Settings>
  /** As the service closed it. */
  closed: ClosedWeek | undefined
  missing: Missing[]
}

/** A week as it is shown; `undefined` until it is read. */
export function useWeek(week: IsoWeek): Week | undefined {
  const saldo = useSaldo()
  const { timeline } = useTimeline()
  const nowMs = useNow(MINUTE_MS)
  const today = useToday()
  const range = useMemo(() => {
    const dates = datesOfWeek(week)
    return { from: dates[0] as LocalDate, to: dates[6] as LocalDate }
  }, [week])
  const days = useLive(useMemo(() => saldo.account.days(range), [saldo, range]))
  const rows = useLive(
    useMemo(
      // With the days around it: before there are settings the client's days may be cut elsewhere.
      () => saldo.entries.between({ from: addDays(range.from, -1), to: addDays(range.to, 1) }),
      [saldo, range],
    ),
  )
  const closedWeeks = useLive(useMemo(() => saldo.account.closedWeeks(), [saldo]))
  return useMemo(() => {
    if (!days || !rows || !closedWeeks) return undefined
    const touching = rowsTouching(range, rows, timeline, nowMs)
    const entries = touching.map(({ record }) => record)
    const those = weekDays(days, entries, timeline, today, nowMs)
    return {
      week,
      dates: datesOfWeek(week),
      today,
      days: those,
      sums: weekSums(those),
      entries,
      timeline,
      closed: closedWeeks.find((closed) => closed.week === week),
      missing: missingIn(those, entries, timeline, pendingIn(touching), addDays(range.to, 1)),
    }
  }, [timeline, today, days, rows, closedWeeks, nowMs, week, range])
}

function pendingIn(rows: readonly Row<Entry>[]): number {
  return rows.filter(({ pending }) => pending).length
}
