import { dateAt, type ZoneName, zoneOn } from '@saldo/core'
import { useClock } from '../../context/clock.tsx'
import { useTimeline } from './TimelineProvider.tsx'

/** The account's zone now. */
export function useZone(): ZoneName {
  const clock = useClock()
  const { timeline } = useTimeline()
  return zoneOn(timeline, dateAt(timeline, clock.now()))
}
