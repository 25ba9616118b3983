import type { DateRange } from '@saldo/core'
import type { Changed, LocalStore, ReadTables } from '../store/store.ts'
import { iterateLive, type LiveOutcome } from './live-iterator.ts'
import { type Pause, pauseDuringBulkPush } from './slow-query-pause.ts'

/**
 * A query whose result is delivered again whenever it may have changed. `for await` of it yields the newest result now
 * and after changes, skips those that are outdated before the loop asks for them, and throws if the query fails.
 */
export interface Live<T> extends AsyncIterable<T> {
  /** The newest result, while somebody subscribes; `undefined` before the first one and when nobody does. */
  readonly current: T | undefined
  /** Resolves to the result now. */
  read(): Promise<T>
  /** Calls `onResult` now and after every change, `onError` if the query fails. Returns how to end that. */
  subscribe(onResult: (result: T) => void, onError?: (error: unknown) => void): () => void
}

/** A source of changes. */
export interface ChangeSource {
  subscribe(listener: () => void): () => void
}

/** Makes a live query over tables, or over kinds of base records. */
export type LiveQueries = <T>(over: readonly Changed[], query: (tables: ReadTables) => Promise<T>) => Live<T>

/** Returns the live queries of a store. */
export function liveQueriesOf(store: LocalStore): LiveQueries {
  const pause = pauseDuringBulkPush(store)
  return (over, query) => liveOver(() => store.read(query), [changesOf(store, over)], pause)
}

/** Returns the changes of some tables or kinds, and of the error of the store. */
export function changesOf(store: LocalStore, over: readonly Changed[]): ChangeSource {
  return {
    subscribe(listener) {
      const end = store.subscribe((changed) => {
        if (over.some((one) => changed.has(one))) listener()
      })
      const endErrors = store.subscribeToErrors(listener)
      return () => {
        end()
        endErrors()
      }
    },
  }
}

/**
 * Returns a live query that runs once for all subscribers when a source changes, and again if it changes meanwhile.
 * `pause` waits before it runs again, by the time that it took.
 */
export function liveOver<T>(
  read: () => Promise<T>,
  sources: readonly ChangeSource[],
  pause: Pause = async () => {},
): Live<T> {
  let running: RunningQuery<T> | undefined
  const subscribe: Live<T>['subscribe'] = (onResult, onError = () => {}) => {
    running ??= new RunningQuery(read, sources, pause)
    const query = running
    const subscriber = { onResult, onError }
    query.add(subscriber)
    return () => {
      query.remove(subscriber)
      if (query === running && query.isEnded) running = undefined
    }
  }
  return {
    get current() {
      return running?.current
    },
    read,
    subscribe,
    [Symbol.asyncIterator]: () => iterateLive(subscribe),
  }
}

interface Subscriber<T> {
  onResult: (result: T) => void
  onError: (error: unknown) => void
}

/** A live query from its first subscriber until it has none; whoever subscribes then begins another one. */
class RunningQuery<T> {
  /** The newest result. */
  current: T | undefined
  isEnded = false
  readonly #read: () => Promise<T>
  readonly #pause: Pause
  readonly #subscribers = new Set<Subscriber<T>>()
  readonly #endSubscriptions: readonly (() => void)[]
  #outcome: LiveOutcome<T> | undefined
  #isRunning = false
  #isStale = false

  constructor(read: () => Promise<T>, sources: readonly ChangeSource[], pause: Pause) {
    this.#read = read
    this.#pause = pause
    this.#endSubscriptions = sources.map((source) => source.subscribe(() => void this.#run()))
    void this.#run()
  }

  add(subscriber: Subscriber<T>): void {
    this.#subscribers.add(subscriber)
    if (this.#outcome) this.#deliver(this.#outcome, subscriber)
  }

  remove(subscriber: Subscriber<T>): void {
    this.#subscribers.delete(subscriber)
    if (this.#subscribers.size > 0) return
    this.isEnded = true
    for (const end of this.#endSubscriptions) end()
  }

  async #run(): Promise<void> {
    this.#isStale = true
    if (this.#isRunning) return
    this.#isRunning = true
    while (this.#isStale && !this.isEnded) {
      this.#isStale = false
      const startMs = performance.now()
      const outcome = await this.#read().then(
        (result) => ({ result }),
        (error: unknown) => ({ error }),
      )
      this.#outcome = outcome
      if ('result' in outcome) this.current = outcome.result
      for (const subscriber of this.#subscribers) this.#deliver(outcome, subscriber)
      await this.#pause(performance.now() - startMs)
    }
    this.#isRunning = false
  }

  /** Delivers in a microtask of its own, so that a subscriber that throws does not stop the others. */
  #deliver(outcome: LiveOutcome<T>, subscriber: Subscriber<T>): void {
    queueMicrotask(() => {
      if (!this.#subscribers.has(subscriber)) return
      if ('error' in outcome) subscriber.onError(outcome.error)
      else subscriber.onResult(outcome.result)
    })
  }
}

/** The number of ranges whose queries are kept. */
const MAX_RANGES = 50

/** Returns queries by range. The same range gets the same query, so that all its subscribers share one result. */
export function queryPerRange<T>(query: (range: DateRange) => Live<T>): (range: DateRange) => Live<T> {
  const queriesByRange = new Map<string, Live<T>>()
  return (range) => {
    const key = range.from + range.to
    const found = queriesByRange.get(key) ?? query(range)
    if (queriesByRange.size > MAX_RANGES) queriesByRange.clear()
    queriesByRange.set(key, found)
    return found
  }
}
