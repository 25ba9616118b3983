/** The states of a sync engine. Those that end in `Again` have more work to do, whatever the work under way yields. */
export const states = [
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
  /** The same after an attempt during which something happened: the backoff is that of a first failure. */
  'waitingBriefly',
  'offline',
  'signInNeeded',
  /** Repeated cold starts failed. */
  'broken',
] as const
export type State = (typeof states)[number]

export const events = [
  'start',
  'stop',
  /** This tab becomes the leader. */
  'elected',
  /** Another tab becomes the leader. */
  'deposed',
  /** The outbox has something to send. */
  'mutated',
  /** There is a reason to sync now: a change notification, a visible page, the user. */
  'syncRequested',
  'pollDue',
  'online',
  'offline',
  'pushedSome',
  'pushedAll',
  'pulledSome',
  'pulledAll',
  /** The log of the service no longer reaches back to the sync position (R5.5). */
  'logPruned',
  /** The history of the service is not the one that this device knows (D7). */
  'historyReset',
  'coldStarted',
  'coldStartsFailed',
  /** The service did not answer; it may answer later. */
  'unreachable',
  'unauthenticated',
  'signedIn',
  'backoffElapsed',
] as const
export type Event = (typeof events)[number]

type Row = Record<Event, State>

/** Returns the row of a state that ignores every event. */
function ignoring(state: State): Row {
  return Object.fromEntries(events.map((event) => [event, state])) as Row
}

/** Returns the row of a state that only these events leave. */
function ending(state: State): Row {
  return { ...ignoring(state), stop: 'stopped', deposed: 'following', unauthenticated: 'signInNeeded' }
}

/** Returns the row of a state with a request under way; `again` is the same state with more work to do. */
function working(state: State, again: State): Row {
  const failed = state === again ? 'waitingBriefly' : 'waiting'
  return {
    ...ending(state),
    offline: 'offline',
    unreachable: failed,
    mutated: again,
    syncRequested: again,
    online: again,
  }
}

function waiting(state: State): Row {
  const retries = { backoffElapsed: 'pushing', syncRequested: 'pushing', online: 'pushing' } as const
  return { ...ending(state), ...retries, offline: 'offline' }
}

/** The state after every event in every state. A sync pushes, then pulls (D7). */
const table: Record<State, Row> = {
  stopped: { ...ignoring('stopped'), start: 'following' },
  following: { ...ignoring('following'), stop: 'stopped', elected: 'pushing' },
  idle: {
    ...ending('idle'),
    mutated: 'pushing',
    syncRequested: 'pushing',
    pollDue: 'pushing',
    online: 'pushing',
    offline: 'offline',
    historyReset: 'coldStarting',
  },
  pushing: { ...working('pushing', 'pushingAgain'), pushedAll: 'pulling', historyReset: 'coldStarting' },
  pushingAgain: {
    ...working('pushingAgain', 'pushingAgain'),
    pushedAll: 'pullingAgain',
    historyReset: 'coldStartingAgain',
  },
  pulling: {
    ...working('pulling', 'pullingAgain'),
    pulledAll: 'idle',
    logPruned: 'coldStarting',
    historyReset: 'coldStarting',
  },
  pullingAgain: {
    ...working('pullingAgain', 'pullingAgain'),
    pulledAll: 'pushing',
    logPruned: 'coldStartingAgain',
    historyReset: 'coldStartingAgain',
  },
  coldStarting: { ...working('coldStarting', 'coldStartingAgain'), coldStarted: 'pushing', coldStartsFailed: 'broken' },
  coldStartingAgain: {
    ...working('coldStartingAgain', 'coldStartingAgain'),
    coldStarted: 'pushing',
    coldStartsFailed: 'broken',
  },
  waiting: waiting('waiting'),
  waitingBriefly: waiting('waitingBriefly'),
  offline: { ...ending('offline'), online: 'pushing', syncRequested: 'pushing' },
  signInNeeded: { ...ending('signInNeeded'), signedIn: 'pushing', syncRequested: 'pushing' },
  broken: { ...ending('broken'), syncRequested: 'coldStarting' },
}

/** Returns the state after an event. */
export function nextState(state: State, event: Event): State {
  return table[state][event]
}

/** The states as a user is shown them. */
export type Phase = Exclude<State, 'pushingAgain' | 'pullingAgain' | 'coldStartingAgain' | 'waitingBriefly'>

const phases: Record<State, Phase> = {
  stopped: 'stopped',
  following: 'following',
  idle: 'idle',
  pushing: 'pushing',
  pushingAgain: 'pushing',
  pulling: 'pulling',
  pullingAgain: 'pulling',
  coldStarting: 'coldStarting',
  coldStartingAgain: 'coldStarting',
  waiting: 'waiting',
  waitingBriefly: 'waiting',
  offline: 'offline',
  signInNeeded: 'signInNeeded',
  broken: 'broken',
}

export function phaseOf(state: State): Phase {
  return phases[state]
}

/** True if the engine has work to do in this phase. */
export function isBusy(phase: Phase): boolean {
  return phase === 'pushing' || phase === 'pulling' || phase === 'coldStarting'
}

/** True if the engine listens for change notifications in this phase. */
export function isListening(phase: Phase): boolean {
  return isBusy(phase) || phase === 'idle' || phase === 'waiting'
}
