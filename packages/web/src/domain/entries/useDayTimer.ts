import { forgottenTimer, type TimedRecord, worksAtNight } from '@saldo/client/entries'
import { type Timer, useEntries, useTimer } from '@saldo/client/react'
import type { EpochMs } from '@saldo/core'
import { useMemo } from 'react'
import { clock } from '../../context/clock.ts'
import { useFormat } from '../../context/FormatProvider.tsx'
import { usePreferences } from '../../context/preferences.ts'
import { useTranslation } from '../../i18n/translation.ts'
import { daysBackFrom } from '../date-ranges.ts'
import type { Day } from './useDay.ts'
import { useEntryActions } from './useEntryActions.ts'

/** A timer whose presses say themselves what went wrong. */
export type DayTimer = Omit<Timer, 'press'> & {
  press(...of: Parameters<Timer['press']>): void
}

/** Returns the timer of a day. A press can be undone; stopping shows a message. */
export function useDayTimer({ entries, zone }: Day): DayTimer {
  const { t } = useTranslation()
  const format = useFormat()
  const { make } = useEntryActions()
  const timer = useTimer({
    entries,
    zone,
    now: clock.now,
    make: async (changes, action, atMs, onTakenBack) => {
      const message = action === 'stop' ? t('entries.timerStopped', { time: format.time(atMs, zone) }) : undefined
      return (await make(changes, message, { takenBack: onTakenBack })) === 'made'
    },
  })
  return { ...timer, press: (...of) => void timer.press(...of) }
}

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
