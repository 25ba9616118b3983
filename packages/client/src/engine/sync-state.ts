/** What a syncing device is doing. */
export const states = [
  'stopped',
  /** Another tab syncs. */
  'following',
  'idle',
  'pushing',
  'pulling',
  'coldStarting',
  'waiting',
  'offline',
  'signInNeeded',
  'broken',
] as const
export type State = (typeof states)[number]

/** What can happen to it. */
export const events = [
  'start',
  'stop',
  /** It is this tab that syncs. */
  'elected',
  /** It is another tab. */
  'deposed',
  /** The user changed something. */
  'mutated',
  /** A reason to look now: the app became visible, the service hinted at news. */
  'woken',
  /** It is time to look whether there is news. */
  'polled',
  'online',
  'offline',
  'pushedSome',
  'pushedAll',
  'pulledSome',
  'pulledAll',
  /** The log no longer reaches back to the last version (R5.5). */
  'stale',
  /** The history is not the one that this device knows (D7). */
  'replaced',
  'coldStarted',
  /** Three cold starts in a row failed. */
  'gaveUp',
  /** No answer of the service: it may come later. */
  'unreachable',
  'unauthenticated',
  'signedIn',
  /** The wait after a failure is over. */
  'waited',
] as const
export type Event = (typeof events)[number]

/** A device at work. `again` says that something happened which the work under way may have missed, whatever comes of it. */
export interface Sync {
  state: State
  again: boolean
}

/** Where events lead; what a state does not expect changes nothing. */
type Row = Partial<Record<Event, State>>

/** What most states share. */
const most: Row = { stop: 'stopped', deposed: 'following', unauthenticated: 'signInNeeded' }

/** What the states share that have a request under way. */
const working: Row = { ...most, offline: 'offline', unreachable: 'waiting' }

/** Sync is push, then pull (D7). */
const table: Record<State, Row> = {
  stopped: { start: 'following' },
  following: { stop: 'stopped', elected: 'pushing' },
  idle: {
    ...most,
    mutated: 'pushing',
    woken: 'pushing',
    polled: 'pushing',
    online: 'pushing',
    offline: 'offline',
    replaced: 'coldStarting',
  },
  pushing: { ...working, pushedAll: 'pulling', replaced: 'coldStarting' },
  pulling: { ...working, pulledAll: 'idle', stale: 'coldStarting', replaced: 'coldStarting' },
  coldStarting: { ...working, coldStarted: 'pushing', gaveUp: 'broken' },
  waiting: { ...most, waited: 'pushing', woken: 'pushing', online: 'pushing', offline: 'offline' },
  offline: { ...most, online: 'pushing', woken: 'pushing' },
  signInNeeded: { ...most, signedIn: 'pushing', woken: 'pushing' },
  broken: { ...most, woken: 'coldStarting' },
}

/** What a device does after an event; total over all of them. */
export function after({ state, again }: Sync, event: Event): Sync {
  const next = table[state][event] ?? state
  const missed = again || event === 'mutated' || event === 'woken' || event === 'online'
  const ends = next === 'idle' && state !== 'idle'
  if (ends) return { state: missed ? 'pushing' : 'idle', again: false }
  const begins = next === 'pushing' && state !== 'pushing'
  return { state: next, again: begins || next === 'stopped' ? false : missed }
}

/** Whether a device has something to do in a state, rather than to wait for something. */
export function isBusy(state: State): boolean {
  return state === 'pushing' || state === 'pulling' || state === 'coldStarting'
}

/** Whether a device in a state wants to hear of news. */
export function isListening(state: State): boolean {
  return isBusy(state) || state === 'idle' || state === 'waiting'
}
