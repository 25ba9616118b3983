import { useLive, useSaldo } from '@saldo/client/react'
import { useMemo } from 'react'
import { useTimeline } from '../TimelineProvider.tsx'
import { useToday } from '../useToday.ts'
import { finishedWeeks, type OpenWeek, openWeeksOf } from './open-weeks.ts'

/** Returns the finished weeks that are not closed, the oldest first; none while they load. */
export function useOpenWeeks(): OpenWeek[] {
  const { account } = useSaldo()
  const { timeline } = useTimeline()
  const today = useToday()
  const { from, to } = finishedWeeks(timeline, today) ?? {}
  const days = useLive(useMemo(() => (from && to ? account.days({ from, to }) : undefined), [account, from, to]))
  const closedWeeks = useLive(useMemo(() => account.closedWeeks(), [account]))
  return useMemo(() => (days && closedWeeks ? openWeeksOf(days, closedWeeks, today) : []), [days, closedWeeks, today])
}
