import { fieldsFor } from '@saldo/core'
/*
 * A sync, without the events that lead from everywhere to one state (stop, deposed, offline, unauthenticated). A failed
 * step leads to `waiting`, and from there to `pushing`. docs/client.md has all of it.
 *
 *   following ─ elected ─▶ pushing ─ pushedAll ─▶ pulling ─ pulledAll ─▶ idle
 *                           ▲  ▲                                          │
 *                           │  └─ outboxReady, syncRequested, pullDue ────┘
 *                           └─ coldStarted ─ coldStarting ◀─ historyReset, in pulling also snapshotNeeded
 */

/** The states of a sync engine. Those that end in `Again` have more work to do, whatever the work under way yields. */
export const syncStates = [
  'stopped',
  /** Another tab syncs. */
  'following',
  'idle',
  'pushing',
  'pushingAgain',
  'pulling',
  'pullingAgain',
  'coldStarting',
  'coldStartingAgain',
  /** A failed attempt is repeated after the backoff. */
  'waiting',
  /** The same after a mutation, or after an attempt during which something happened: the next one is soon (D7.57). */
  'waitingBriefly',
  'offline',
  'signInNeeded',
] as const
export type SyncState = (typeof syncStates)[number]

export const syncEvents = [
  'start',
  'stop',
  /** This tab becomes the leader. */
  'elected',
  /** This tab leads no longer. */
  'deposed',
  /** The outbox has something to send. */
  'outboxReady',
  /** There is a reason to sync now: a change notification, a visible page, a network, a sign-in, the user. */
  'syncRequested',
  /** There may be something to pull that nobody announces. */
  'pullDue',
  'offline',
  'pushedSome',
  'pushedAll',
  'pulledSome',
  'pulledAll',
  /** The base records have to be replaced by a snapshot (R5.5). */
  'snapshotNeeded',
  /** The history of the service is not the one that this device knows (D7.35 to D7.40, D7.61). */
  'historyReset',
  'coldStarted',
  /** The service or the local store failed; a retry may work. */
  'failed',
  'unauthenticated',
  'backoffElapsed',
] as const
export type SyncEvent = (typeof syncEvents)[number]

type Row = Readonly<Record<SyncEvent, SyncState>>

/** Returns the row of a state that ignores all events: it stays as it is. */
function ignoring(state: SyncState): Row {
  return fieldsFor(syncEvents, () => state)
}

/** Events that end any sync. */
const ends = { stop: 'stopped', deposed: 'following', unauthenticated: 'signInNeeded' } as const

/**
 * Returns the row of a state with a request under way; `again` is the same state with more work to do. A request to
 * sync does not join the sync under way, since that one may be failing.
 */
function working(state: SyncState, again: SyncState): Row {
  return {
    ...ignoring(state),
    ...ends,
    outboxReady: again,
    syncRequested: again,
    offline: 'offline',
    failed: state === again ? 'waitingBriefly' : 'waiting',
  }
}

const endsWaiting = {
  backoffElapsed: 'pushing',
  syncRequested: 'pushing',
  offline: 'offline',
} as const

/**
 * The state after each event. A sync pushes, then pulls (D7.23). A step runs again if its state stays. A table and not
 * conditions in the engine: its type asks for a state after every event in every state, and tests read it.
 */
export const stateTable: Readonly<Record<SyncState, Row>> = {
  stopped: { ...ignoring('stopped'), start: 'following' },
  following: { ...ignoring('following'), stop: 'stopped', elected: 'pushing' },
  idle: {
    ...ignoring('idle'),
    ...ends,
    outboxReady: 'pushing',
    syncRequested: 'pushing',
    pullDue: 'pushing',
    offline: 'offline',
    historyReset: 'coldStarting',
  },
  pushing: {
    ...working('pushing', 'pushingAgain'),
    pushedAll: 'pulling',
    historyReset: 'coldStarting',
  },
  pushingAgain: {
    ...working('pushingAgain', 'pushingAgain'),
    pushedAll: 'pullingAgain',
    historyReset: 'coldStartingAgain',
  },
  pulling: {
    ...working('pulling', 'pullingAgain'),
    pulledAll: 'idle',
    snapshotNeeded: 'coldStarting',
    historyReset: 'coldStarting',
  },
  pullingAgain: {
    ...working('pullingAgain', 'pullingAgain'),
    pulledAll: 'pushing',
    snapshotNeeded: 'coldStartingAgain',
    historyReset: 'coldStartingAgain',
  },
  coldStarting: {
    ...working('coldStarting', 'coldStartingAgain'),
    coldStarted: 'pushing',
  },
  coldStartingAgain: {
    ...working('coldStartingAgain', 'coldStartingAgain'),
    coldStarted: 'pushing',
  },
  waiting: { ...ignoring('waiting'), ...ends, ...endsWaiting, outboxReady: 'waitingBriefly' },
  waitingBriefly: { ...ignoring('waitingBriefly'), ...ends, ...endsWaiting },
  offline: { ...ignoring('offline'), ...ends, syncRequested: 'pushing' },
  signInNeeded: {
    ...ignoring('signInNeeded'),
    stop: 'stopped',
    deposed: 'following',
    syncRequested: 'pushing',
  },
}

/** Returns the state after an event. */
export function nextState(state: SyncState, event: SyncEvent): SyncState {
  return stateTable[state][event]
}

/** The states as a user is shown them. */
export type Phase = Exclude<SyncState, `${string}Again` | 'waitingBriefly'>

/** Returns the phase of a state, by the state's name: a second table could differ from the first. */
export function phaseOf(state: SyncState): Phase {
  return state.replace(/Again|Briefly/, '') as Phase
}

/** The phases in which the engine has work to do. */
export type BusyPhase = 'pushing' | 'pulling' | 'coldStarting'

export function isBusy(phase: Phase): phase is BusyPhase {
  return phase === 'pushing' || phase === 'pulling' || phase === 'coldStarting'
}

/** True if the engine listens for change notifications in this phase. */
export function isListening(phase: Phase): boolean {
  return isBusy(phase) || phase === 'idle' || phase === 'waiting'
}
