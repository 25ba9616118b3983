import type { TimedRecord } from '@saldo/client/entries'
import { useLive, useSaldo } from '@saldo/client/react'
import { addDays, type EpochMs } from '@saldo/core'
import { useMemo } from 'react'
import { usePreferences } from '../../context/preferences.ts'
import { forgottenTimer, worksAtNight } from './forgotten.ts'
import type { Day } from './useDay.ts'

/** The last days that say if work at night is usual. */
const NIGHTS_OF_DAYS = 21

/** Returns the timer that somebody may have forgotten to stop. `day` is today. */
export function useForgottenTimer(day: Day, nowMs: EpochMs): TimedRecord | undefined {
  const saldo = useSaldo()
  const { forgottenAfterMs } = usePreferences()
  const { today, timeline, entries } = day
  const recent = useLive(
    useMemo(() => saldo.entries.between({ from: addDays(today, -NIGHTS_OF_DAYS), to: today }), [saldo, today]),
  )
  const isNightUsual = useMemo(
    () =>
      recent &&
      worksAtNight(
        recent.map(({ record }) => record),
        timeline,
      ),
    [recent, timeline],
  )
  return isNightUsual === undefined
    ? undefined
    : forgottenTimer(entries, timeline, nowMs, isNightUsual, forgottenAfterMs)
}
