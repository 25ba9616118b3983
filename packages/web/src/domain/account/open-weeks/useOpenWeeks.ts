import { addDays, mondayOf, weekOf } from '@saldo/core'
import { useMemo } from 'react'
import { useSaldo } from '../../../context/saldo.tsx'
import { useLive } from '../../../context/useLive.ts'
import { useTimeline } from '../TimelineProvider.tsx'
import { useToday } from '../useToday.ts'
import { type OpenWeek, openWeeksOf } from './open-weeks.ts'

/** Returns the finished weeks that are not closed, the oldest first; none while they load. */
export function useOpenWeeks(): OpenWeek[] {
  const { account } = useSaldo()
  const { timeline } = useTimeline()
  const today = useToday()
  // The first row of the timeline is for the time before the account.
  const from = timeline[1]?.effective_from
  const to = addDays(mondayOf(weekOf(today)), -1)
  const days = useLive(
    useMemo(() => (from && from <= to ? account.days({ from, to }) : undefined), [account, from, to]),
  )
  const closedWeeks = useLive(useMemo(() => account.closedWeeks(), [account]))
  return useMemo(() => (days && closedWeeks ? openWeeksOf(days, closedWeeks, today) : []), [days, closedWeeks, today])
}
