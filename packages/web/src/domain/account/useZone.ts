import { dateAt, type ZoneName, zoneOn } from '@saldo/core'
import { clock } from '../../context/clock.ts'
import { useTimeline } from './TimelineProvider.tsx'

/** The account's zone now. */
export function useZone(): ZoneName {
  const { timeline } = useTimeline()
  return zoneOn(timeline, dateAt(timeline, clock.now()))
}
