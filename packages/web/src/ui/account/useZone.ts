import { dateAt, type ZoneName, zoneOn } from '@saldo/core'
import { useClock } from '../../app/now.tsx'
import { browserZone } from '../work-hours/browser-zone.ts'
import { useTimeline } from './useTimeline.ts'

/** The account's zone now; the browser's until it is known. */
export function useZone(): ZoneName {
  const clock = useClock()
  const shown = useTimeline()
  return shown ? zoneOn(shown.timeline, dateAt(shown.timeline, clock.now())) : browserZone()
}
