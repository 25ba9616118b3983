import { addDays, type Entry, type EpochMs, isTimed, utcDate, type ZoneName } from '@saldo/core'
import { useMemo, useState } from 'react'
import type { WorkSubject } from '../entries/recent-work.ts'
import { isReflected, type TimerAction, type TimerState, timerMutations, timerState } from '../entries/timer.ts'
import type { EntryMutation } from '../entries/undoable.ts'
import { entriesAfter, undoableMutations } from '../entries/undoable.ts'
import { systemClock, systemRandom } from '../host/platform.ts'
import { useSaldo } from './saldo-provider.ts'
import { useLive } from './use-live.ts'

/** The timer: one running piece of work, or a break from it. */
export interface Timer {
  state: TimerState
  /** The first button: start or stop; after a break, resume. */
  main: TimerAction
  /** The second button: begin a break, or end the day during one. */
  other: TimerAction
  /**
   * Presses a button, which shows at once. Work that is started takes project, tags and note from `like`, if given, and
   * begins at `atMs`, by default now. Rejects as `entries.create` and `entries.update` do; then it shows no longer.
   */
  press(action: TimerAction, like?: WorkSubject, atMs?: EpochMs): Promise<void>
}

/** Replaces parts of the timer. */
export interface TimerOptions {
  /** The entries of today and of the days around it; by default the timer reads them itself. */
  entries?: readonly Entry[]
  /** The time zone of entries that begin; by default that of the account. */
  zone?: ZoneName
  now?: () => EpochMs
  /**
   * Makes the changes of a press. Resolves to true if it worked. Calls `onTakenBack` when they are undone. By default
   * they are made at once.
   */
  make?: (
    changes: readonly EntryMutation[],
    action: TimerAction,
    atMs: EpochMs,
    onTakenBack: () => void,
  ) => Promise<boolean>
}

/**
 * Returns the timer of today. A press shows at once: each of its changes is laid over the entries until they have it,
 * or until it fails or is undone.
 */
export function useTimer(options: TimerOptions = {}): Timer {
  const { entries: saved } = useSaldo()
  const { now = systemClock.now, zone = null, make = makeAll } = options
  const read = useEntriesAround(options.entries ? undefined : utcDate(now()))
  const entries = options.entries ?? read
  const [pressed, setPressed] = useState<readonly EntryMutation[]>([])
  const missing = pressed.filter((change) => !isReflected(change, entries))
  // A change that the store had once must not come back when it is undone.
  if (missing.length < pressed.length) setPressed(missing)
  const timed = entriesAfter(entries, missing).filter(isTimed)
  const state = timerState(timed)

  async function makeAll(changes: readonly EntryMutation[]): Promise<boolean> {
    await undoableMutations(saved, changes, systemRandom.uuid).make().settled
    return true
  }
  return {
    state,
    main: state.kind === 'working' ? 'stop' : 'start',
    other: state.kind === 'break' ? 'stop' : 'break',
    async press(action, like, atMs = now()) {
      const changes: EntryMutation[] = timerMutations(timed, action, atMs, zone, like).map((change) =>
        change.op === 'create' ? { ...change, id: systemRandom.uuid() } : change,
      )
      if (changes.length === 0) return
      setPressed((before) => [...before, ...changes])
      const forget = () => setPressed((before) => before.filter((change) => !changes.includes(change)))
      let isWorked = false
      try {
        isWorked = await make(changes, action, atMs, forget)
      } finally {
        if (!isWorked) forget()
      }
    },
  }
}

const none: readonly Entry[] = []

/** Returns the entries of a date and the days around it; none while they are read, or without a date. */
function useEntriesAround(date: ReturnType<typeof utcDate> | undefined): readonly Entry[] {
  const { entries } = useSaldo()
  const rows = useLive(
    useMemo(() => date && entries.between({ from: addDays(date, -1), to: addDays(date, 1) }), [entries, date]),
  )
  return useMemo(() => rows?.map(({ record }) => record) ?? none, [rows])
}
