import { forgottenTimer, type TimedRecord, worksAtNight } from '@saldo/client/entries'
import { useEntries } from '@saldo/client/react'
import type { EpochMs } from '@saldo/core'
import { useMemo } from 'react'
import { usePreferences } from '../../context/preferences.ts'
import { daysBackFrom } from '../date-ranges.ts'
import type { Day } from './useDay.ts'

/** The last days that say if work at night is usual. */
const NIGHTS_OF_DAYS = 21

/** Returns the timer that somebody may have forgotten to stop. `day` is today. */
export function useForgottenTimer(day: Day, nowMs: EpochMs): TimedRecord | undefined {
  const { forgottenAfterMs } = usePreferences()
  const { today, timeline, entries } = day
  const recent = useEntries(daysBackFrom(today, NIGHTS_OF_DAYS))
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
