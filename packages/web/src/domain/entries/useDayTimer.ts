import { type Timer, useTimer } from '@saldo/client/react'
import { useTranslation } from 'react-i18next'
import { clock } from '../../context/clock.ts'
import { useFormat } from '../../context/FormatProvider.tsx'
import type { Day } from './useDay.ts'
import { useEntryVerbs } from './useEntryVerbs.ts'

/** A timer whose presses say themselves what went wrong. */
export type DayTimer = Omit<Timer, 'press'> & {
  press(...of: Parameters<Timer['press']>): void
}

/** Returns the timer of a day. A press can be undone; stopping shows a message. */
export function useDayTimer({ entries, zone }: Day): DayTimer {
  const { t } = useTranslation()
  const format = useFormat()
  const { make } = useEntryVerbs()
  const timer = useTimer({
    entries,
    zone,
    now: clock.now,
    make: (changes, verb, atMs, onTakenBack) => {
      const message = verb === 'stop' ? t('entries.timerStopped', { time: format.time(atMs, zone) }) : undefined
      return make(changes, message, { takenBack: onTakenBack })
    },
  })
  return { ...timer, press: (...of) => void timer.press(...of) }
}
