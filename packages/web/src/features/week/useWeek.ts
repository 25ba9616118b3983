import { useDays, useLive, useSaldo } from '@saldo/client/react'
import { addDays, type IsoWeek, MINUTE_MS, settingsOn, type WeekHint, weekHint } from '@saldo/core'
import { useMemo } from 'react'
import { useNow } from '../../context/clock.ts'
import { useTimeline } from '../../domain/account/TimelineProvider.tsx'
import { useToday } from '../../domain/account/useToday.ts'
import { hintedWeeks, workedByWeek } from './long-weeks.ts'
import { rangeOfWeek, shownWeek, type Week } from './shown-week.ts'

/** Returns a week for display; `undefined` while it loads. */
export function useWeek(week: IsoWeek): Week | undefined {
  const saldo = useSaldo()
  const { timeline } = useTimeline()
  const nowMs = useNow(MINUTE_MS)
  const today = useToday()
  const { from, to } = rangeOfWeek(week)
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
  return shownWeek(week, { forecast, rows, closedWeeks, longWeeks }, timeline, today, nowMs)
}

/** Returns the hint of a week whose work is too long on average; `undefined` while it loads or without hints. */
function useLongWeeks(week: IsoWeek): WeekHint | undefined {
  const { timeline } = useTimeline()
  const { to } = rangeOfWeek(week)
  const country = settingsOn(timeline, to)?.hints
  const { from } = country ? hintedWeeks(to, country) : { from: to }
  const days = useDays({ from, to })
  return country && days ? weekHint(country, workedByWeek(days)) : undefined
}
