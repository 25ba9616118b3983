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

type Row = Record<Event, State>

/** What every state shares with most others: what it does not expect changes nothing. */
const all = (state: State): Row =>
  ({
    ...Object.fromEntries(events.map((event) => [event, state])),
    stop: 'stopped',
    deposed: 'following',
    unauthenticated: 'signInNeeded',
  }) as Row

/** What a state that has a request under way shares with the others. */
const working = (state: State): Row => ({
  ...all(state),
  offline: 'offline',
  unreachable: 'waiting',
})

/** Sync is push, then pull (D7). */
const table: Record<State, Row> = {
  stopped: { ...all('stopped'), start: 'following', deposed: 'stopped', unauthenticated: 'stopped' },
  following: { ...all('following'), elected: 'pushing', unauthenticated: 'following' },
  idle: {
    ...all('idle'),
    mutated: 'pushing',
    woken: 'pushing',
    polled: 'pushing',
    online: 'pushing',
    offline: 'offline',
    replaced: 'coldStarting',
  },
  pushing: { ...working('pushing'), pushedAll: 'pulling', replaced: 'coldStarting' },
  pulling: { ...working('pulling'), pulledAll: 'idle', stale: 'coldStarting', replaced: 'coldStarting' },
  coldStarting: { ...working('coldStarting'), coldStarted: 'pushing', gaveUp: 'broken' },
  waiting: { ...all('waiting'), waited: 'pushing', woken: 'pushing', online: 'pushing', offline: 'offline' },
  offline: { ...all('offline'), online: 'pushing', woken: 'pushing' },
  signInNeeded: { ...all('signInNeeded'), signedIn: 'pushing', woken: 'pushing' },
  broken: { ...all('broken'), woken: 'coldStarting' },
}

/** What a device does after an event. Total: every event has its place in every state. */
export function after({ state, again }: Sync, event: Event): Sync {
  const next = table[state][event]
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
