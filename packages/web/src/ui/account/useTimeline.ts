import { dateAt, type IsoDate } from '@saldo/core'
import { useMemo } from 'react'
import { MINUTE_MS, useNow } from '../../app/now.tsx'
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

/** The account's date of now; `undefined` until the settings are read. */
export function useToday(): IsoDate | undefined {
  const shown = useTimeline()
  const nowMs = useNow(MINUTE_MS)
  return shown && dateAt(shown.timeline, nowMs)
}
