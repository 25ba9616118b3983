import { useMemo } from 'react'
import { useSaldo } from '../../app/saldo.tsx'
import { useLive } from '../useLive.ts'
import { browserZone } from '../work-hours/browser-zone.ts'
import { type ShownTimeline, shownTimeline } from './timeline.ts'

/** The settings over time; `undefined` until they are read. */
export function useTimeline(): ShownTimeline | undefined {
  const saldo = useSaldo()
  const rows = useLive(useMemo(() => saldo.settings.all(), [saldo]))
  return useMemo(
    () =>
      rows &&
      shownTimeline(
        rows.map(({ record }) => record),
        browserZone(),
      ),
    [rows],
  )
}
