import { systemRandom } from '@saldo/client'
import type { Entry } from '@saldo/core'
import { useState } from 'react'
import { useClock } from '../../app/now.tsx'
import { useTranslation } from '../../i18n/TranslationProvider.tsx'
import { useFormat } from '../format/FormatProvider.tsx'
import { isTimedRecord, type TimedRecord } from './parts.ts'
import { type TimerState, type TimerVerb, timerChanges, timerState, withChanges } from './timer.ts'
import type { Day } from './useDay.ts'
import { useEntryVerbs } from './useEntryVerbs.ts'

export interface Timer {
  state: TimerState
  /** What the first button does: start, or stop; after a break, go on. */
  main: TimerVerb
  /** What the second does: begin a break, or end the day in one. */
  other: TimerVerb
  press(verb: TimerVerb): void
}

/** What was pressed since entries were told. */
interface Pressed {
  over: readonly Entry[]
  timed: TimedRecord[]
}

/** The clock of a day. It shows what was pressed at once, before what was told says so too. */
export function useTimer({ entries, zone }: Day): Timer {
  const { t } = useTranslation()
  const format = useFormat()
  const clock = useClock()
  const { make } = useEntryVerbs()
  const [pressed, setPressed] = useState<Pressed>()
  const timed = pressed?.over === entries ? pressed.timed : entries.filter(isTimedRecord)
  const state = timerState(timed)
  const press = async (verb: TimerVerb) => {
    const nowMs = clock.now()
    const changes = timerChanges(timed, verb, nowMs, zone).map((change) =>
      change.op === 'create' ? { ...change, id: systemRandom.uuid() } : change,
    )
    if (changes.length === 0) return
    setPressed({ over: entries, timed: withChanges(timed, changes, nowMs) })
    const message = verb === 'stop' ? t('entries.timerStopped', { time: format.time(nowMs, zone) }) : undefined
    if (!(await make(changes, message))) setPressed(undefined)
  }
  return {
    state,
    main: state.kind === 'working' ? 'stop' : 'start',
    other: state.kind === 'break' ? 'stop' : 'break',
    press: (verb) => void press(verb),
  }
}
