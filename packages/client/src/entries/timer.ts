import { type Entry, type EpochMs, epochMs, instantOf, jsonEqual, SECOND_MS, type ZoneName } from '@saldo/core'
import { newEntry } from './new-entry.ts'
import type { TimedRecord, WorkRecord } from './parts.ts'
import type { WorkSubject } from './recent-work.ts'
import type { EntryMutation } from './undoable.ts'

/** The state of the timer. `before` is the work that a break interrupts. */
export type TimerState =
  | { kind: 'idle' }
  | { kind: 'working'; entry: WorkRecord }
  | { kind: 'break'; entry: TimedRecord; before: WorkRecord | undefined }

/** The actions of the timer. */
export const timerActions = ['start', 'stop', 'break'] as const
/** One of `timerActions`. */
export type TimerAction = (typeof timerActions)[number]

/** Returns the state by the newest running entry. */
export function timerState(entries: readonly TimedRecord[]): TimerState {
  const newest = running(entries).at(-1)
  if (!newest) return { kind: 'idle' }
  if (newest.kind === 'work') return { kind: 'working', entry: newest }
  const work = byStart(entries)
    .filter((entry) => entry.kind === 'work')
    .filter(({ started_at }) => started_at <= newest.started_at)
  return { kind: 'break', entry: newest, before: work.at(-1) }
}

/**
 * Returns the changes of a press of a button: all running entries end, and the wanted one begins. After a break the
 * interrupted work continues. Times are whole seconds.
 */
export function timerMutations(
  entries: readonly TimedRecord[],
  action: TimerAction,
  nowMs: EpochMs,
  zone: ZoneName | null,
  like?: WorkSubject,
): EntryMutation[] {
  const atMs = Math.floor(nowMs / SECOND_MS) * SECOND_MS
  const state = timerState(entries)
  const ended: EntryMutation[] = running(entries).map((record) => ({
    op: 'update',
    record,
    patch: { ended_at: instantOf(Math.max(atMs, epochMs(record.started_at))) },
  }))
  const begun = { started_at: instantOf(atMs), ended_at: null, time_zone: zone }
  switch (action) {
    case 'stop':
      return ended
    case 'break':
      return [...ended, { op: 'create', content: newEntry({ ...begun, kind: 'break' }) }]
    case 'start': {
      const continued = state.kind === 'break' ? state.before : undefined
      const { project, tags, note, counts } = like ?? continued ?? { project: null, tags: [], note: '', counts: true }
      return [...ended, { op: 'create', content: newEntry({ ...begun, kind: 'work', project, tags, note, counts }) }]
    }
  }
}

/** Returns the wanted action unless the timer is already in the state that it leads to, or cannot go there. */
export function actionToReach(wanted: TimerAction, { kind }: TimerState): TimerAction | undefined {
  const fits = { start: kind !== 'working', stop: kind !== 'idle', break: kind === 'working' }
  return fits[wanted] ? wanted : undefined
}

/** True if the entries have a change; a created entry needs an id. */
export function isReflected(change: EntryMutation, entries: readonly Entry[]): boolean {
  const id = change.op === 'create' ? change.id : change.record.id
  const entry = entries.find((each) => each.id === id)
  switch (change.op) {
    case 'create':
      return entry !== undefined
    case 'update':
      return entry !== undefined && jsonEqual({ ...entry, ...change.patch }, entry)
    case 'delete':
      return entry === undefined
  }
}

function running(entries: readonly TimedRecord[]): TimedRecord[] {
  return byStart(entries).filter(({ ended_at }) => ended_at === null)
}

function byStart(entries: readonly TimedRecord[]): TimedRecord[] {
  return entries.toSorted((a, b) => (a.started_at < b.started_at ? -1 : 1))
}
