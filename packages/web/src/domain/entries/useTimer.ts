import { systemRandom } from '@saldo/client'
import { startTransition, useCallback, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { painted } from '../../context/after-paint.ts'
import { useClock } from '../../context/clock.tsx'
import { useFormat } from '../../context/FormatProvider.tsx'
import { useSaldo } from '../../context/saldo.tsx'
import type { Change } from './changes.ts'
import { isTimedRecord, type TimedRecord } from './parts.ts'
import { isTold, type TimerState, type TimerVerb, timerChanges, timerState, withChanges } from './timer.ts'
import { type Day, entriesAround } from './useDay.ts'
import { useEntryVerbs } from './useEntryVerbs.ts'

export interface Timer {
  state: TimerState
  /** What the first button does: start, or stop; after a break, go on. */
  main: TimerVerb
  /** What the second does: begin a break, or end the day in one. */
  other: TimerVerb
  /** Work that is started is like an entry, where one is told. It stays the same while the clock changes. */
  press(verb: TimerVerb, like?: TimedRecord): void
}

/**
 * The clock of a day. It shows what was pressed at once, before the local store tells it: until each change is told, or the
 * service has answered, it is laid over what is told.
 */
export function useTimer({ date, entries, zone }: Day): Timer {
  const { t } = useTranslation()
  const format = useFormat()
  const clock = useClock()
  const saldo = useSaldo()
  const { make } = useEntryVerbs()
  const [pressed, setPressed] = useState<readonly Change[]>([])
  const untold = pressed.filter((change) => !isTold(change, entries))
  // For good: what is told and then taken back is not pressed.
  if (untold.length < pressed.length) setPressed(untold)
  const timed = withChanges(entries.filter(isTimedRecord), untold, clock.now())
  const state = timerState(timed)
  const shown = useRef(timed)
  useLayoutEffect(() => {
    shown.current = timed
  })
  const press = useCallback<Timer['press']>(
    (verb, like) => {
      const nowMs = clock.now()
      const changes = timerChanges(shown.current, verb, nowMs, zone, like).map(
        (change): Change => (change.op === 'create' ? { ...change, id: systemRandom.uuid() } : change),
      )
      if (changes.length === 0) return
      const keep = async () => {
        const message = verb === 'stop' ? t('entries.timerStopped', { time: format.time(nowMs, zone) }) : undefined
        // What is read after the changes is told before they are forgotten; a store that is closed by then tells nothing any more.
        if (await make(changes, message, painted()))
          await entriesAround(saldo, date)
            .read()
            .catch(() => undefined)
        startTransition(() => setPressed((now) => now.filter((change) => !changes.includes(change))))
      }
      setPressed((before) => [...before, ...changes])
      void keep()
    },
    [clock, saldo, make, date, zone, t, format],
  )
  return {
    state,
    main: state.kind === 'working' ? 'stop' : 'start',
    other: state.kind === 'break' ? 'stop' : 'break',
    press,
  }
}
