import { useDays, useEntries, useLive, useSaldo } from '@saldo/client/react'
import { type IsoWeek, MINUTE_MS, type WeekHint, weekHint } from '@saldo/core'
import { useMemo } from 'react'
import { useNow } from '../../context/clock.ts'
import { useTimeline } from '../../domain/account/TimelineProvider.tsx'
import { useToday } from '../../domain/account/useToday.ts'
import { widened } from '../../domain/date-ranges.ts'
import { lawOfWeek, rangeOfWeek, shownWeek, type Week, workedByWeek } from './shown-week.ts'

/** Returns a week for display; `undefined` while it loads. */
export function useWeek(week: IsoWeek): Week | undefined {
  const saldo = useSaldo()
  const { timeline } = useTimeline()
  const nowMs = useNow(MINUTE_MS)
  const today = useToday()
  const range = rangeOfWeek(week)
  const forecast = useDays(range)
  // Includes the days around it: before there are settings, the client may cut days by another zone.
  const rows = useEntries(widened(range, 1))
  const closedWeeks = useLive(useMemo(() => saldo.account.closedWeeks(), [saldo]))
  const longWeeks = useLongWeeks(week)
  if (!forecast || !rows || !closedWeeks) return undefined
  return shownWeek(week, { forecast, rows, closedWeeks, longWeeks }, timeline, today, nowMs)
}

/** Returns the hint of a week whose work is too long on average; `undefined` while it loads or without hints. */
function useLongWeeks(week: IsoWeek): WeekHint | undefined {
  const { timeline } = useTimeline()
  const law = lawOfWeek(week, timeline)
  const days = useDays(law?.weeks)
  return law && days && weekHint(law.country, workedByWeek(days))
}
