import { useTranslation } from 'react-i18next'
import { useClock } from '../../app/now.tsx'
import { useFormat } from '../format/useFormat.ts'
import { isTimedRecord } from './parts.ts'
import { type TimerState, type TimerVerb, timerChanges, timerState } from './timer.ts'
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

export function useTimer(day: Day): Timer {
  const { t } = useTranslation()
  const format = useFormat()
  const clock = useClock()
  const { make } = useEntryVerbs()
  const timed = day.entries.filter(isTimedRecord)
  const state = timerState(timed)
  const press = (verb: TimerVerb) => {
    const nowMs = clock.now()
    const changes = timerChanges(timed, verb, nowMs, day.zone)
    if (changes.length === 0) return
    void make(changes, verb === 'stop' ? t('entries.timerStopped', { time: format.time(nowMs, day.zone) }) : undefined)
  }
  return {
    state,
    main: state.kind === 'working' ? 'stop' : 'start',
    other: state.kind === 'break' ? 'stop' : 'break',
    press,
  }
}
