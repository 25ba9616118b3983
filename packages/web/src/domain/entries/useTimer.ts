import { systemRandom } from '@saldo/client'
import type { Entry } from '@saldo/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { clock } from '../../context/clock.ts'
import { useFormat } from '../../context/FormatProvider.tsx'
import type { Change } from './changes.ts'
import { isTimedRecord, type TimedRecord } from './parts.ts'
import { type TimerState, type TimerVerb, timerChanges, timerState, withChanges } from './timer.ts'
import type { Day } from './useDay.ts'
import { useEntryVerbs } from './useEntryVerbs.ts'

export interface Timer {
  state: TimerState
  /** The first button: start or stop; after a break, resume. */
  main: TimerVerb
  /** The second button: begin a break, or end the day during one. */
  other: TimerVerb
  /** Work that is started takes project, tags and note from `like`, if given. */
  press(verb: TimerVerb, like?: TimedRecord): void
}

/**
 * The timer of a day. A press shows at once: until the next result of the local store, its changes are laid over
 * the entries.
 */
export function useTimer({ entries, zone }: Day): Timer {
  const { t } = useTranslation()
  const format = useFormat()
  const { make } = useEntryVerbs()
  const [optimistic, setOptimistic] = useState<{ over: readonly Entry[]; changes: readonly Change[] }>()
  const pressed = optimistic?.over === entries ? optimistic.changes : []
  const timed = withChanges(entries.filter(isTimedRecord), pressed, clock.now())
  const state = timerState(timed)

  const press = async (verb: TimerVerb, like?: TimedRecord) => {
    const nowMs = clock.now()
    const changes = timerChanges(timed, verb, nowMs, zone, like).map(
      (change): Change => (change.op === 'create' ? { ...change, id: systemRandom.uuid() } : change),
    )
    if (changes.length === 0) return
    setOptimistic({ over: entries, changes: [...pressed, ...changes] })
    const message = verb === 'stop' ? t('entries.timerStopped', { time: format.time(nowMs, zone) }) : undefined
    if (!(await make(changes, message))) setOptimistic(undefined)
  }
  return {
    state,
    main: state.kind === 'working' ? 'stop' : 'start',
    other: state.kind === 'break' ? 'stop' : 'break',
    press: (verb, like) => void press(verb, like),
  }
}
