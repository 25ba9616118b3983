import { systemRandom } from '@saldo/client'
import {
  type Change,
  isTimedRecord,
  missingChanges,
  type PressedChange,
  settlePressed,
  type TimerState,
  type TimerVerb,
  timerChanges,
  timerState,
  type WorkSubject,
  withChanges,
} from '@saldo/client/entries'
import type { EpochMs } from '@saldo/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { clock } from '../../context/clock.ts'
import { useFormat } from '../../context/FormatProvider.tsx'
import type { Day } from './useDay.ts'
import { useEntryVerbs } from './useEntryVerbs.ts'

export interface Timer {
  state: TimerState
  /** The first button: start or stop; after a break, resume. */
  main: TimerVerb
  /** The second button: begin a break, or end the day during one. */
  other: TimerVerb
  /** Work that is started takes project, tags and note from `like`, if given, and begins at `atMs`, by default now. */
  press(verb: TimerVerb, like?: WorkSubject, atMs?: EpochMs): void
}

/**
 * The timer of a day. A press shows at once: each of its changes is laid over the entries until they have it, or until
 * they are read anew once it is done, because it may have been undone meanwhile.
 */
export function useTimer({ entries, zone }: Day): Timer {
  const { t } = useTranslation()
  const format = useFormat()
  const { make } = useEntryVerbs()
  const [pressed, setPressed] = useState<readonly PressedChange[]>([])
  const [seen, setSeen] = useState(entries)
  const isReadAnew = entries !== seen
  if (isReadAnew) setSeen(entries)
  const missing = missingChanges(pressed, entries, isReadAnew)
  // A change that the store had once must not come back when it is undone.
  if (missing.length < pressed.length) setPressed(missing)
  const changes = missing.map(({ change }) => change)
  const timed = withChanges(entries.filter(isTimedRecord), changes, clock.now())
  const state = timerState(timed)

  const press = async (verb: TimerVerb, like?: WorkSubject, nowMs = clock.now()) => {
    const changes = timerChanges(timed, verb, nowMs, zone, like).map(
      (change): Change => (change.op === 'create' ? { ...change, id: systemRandom.uuid() } : change),
    )
    if (changes.length === 0) return
    setPressed((now) => [...now, ...changes.map((change) => ({ change, isDone: false }))])
    const message = verb === 'stop' ? t('entries.timerStopped', { time: format.time(nowMs, zone) }) : undefined
    const worked = await make(changes, message)
    setPressed((now) => settlePressed(now, changes, worked))
  }
  return {
    state,
    main: state.kind === 'working' ? 'stop' : 'start',
    other: state.kind === 'break' ? 'stop' : 'break',
    press: (verb, like, atMs) => void press(verb, like, atMs),
  }
}
