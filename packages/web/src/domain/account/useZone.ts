import { dateAt, type ZoneName, zoneOn } from '@saldo/core'
import { clock } from '../../context/clock.ts'
import { useTimeline } from './TimelineProvider.tsx'

/** Returns the account's current time zone. */
export function useZone(): ZoneName {
  const { timeline } = useTimeline()
  return zoneOn(timeline, dateAt(timeline, clock.now()))
}
