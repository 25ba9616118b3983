import type { DateRange, DurationMs } from '@saldo/core'
import type { Changed, LocalStore, ReadTables } from '../store/store.ts'

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

/** Returns a live query over tables of a store, or over kinds of its base records. */
export function liveQuery<T>(
  store: LocalStore,
  over: readonly Changed[],
  query: (tables: ReadTables) => Promise<T>,
): Live<T> {
  return liveOver(() => store.read(query), [changesOf(store, over)], restWhileManyWait(store))
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

interface Subscriber<T> {
  onResult: (result: T) => void
  onError: (error: unknown) => void
}

/** Waits after a query that took some time. */
type Rest = (tookMs: DurationMs) => Promise<void>

const SLOW_MS = 50
const MANY_CHANGES = 1_000
const MAX_REST_MS = 10_000
/** On a slow device, a query rests for longer, so that it takes a tenth of the time at most. */
const REST_PER_QUERY_TIME = 9
const QUIET_MS = 500

/** The rest of the slow queries of a store: they go on together, so that they share what they read. */
const rests = new WeakMap<LocalStore, Promise<void>>()

/**
 * Lets slow queries rest while many changes wait and the store keeps changing, as during an import: each push alters
 * their results, and a query that reads thousands of changes holds the next push up.
 */
function restWhileManyWait(store: LocalStore): Rest {
  return async (tookMs) => {
    if (tookMs <= SLOW_MS) return
    const waiting = await store.read((tables) => tables.outbox.count()).catch(() => 0)
    if (waiting < MANY_CHANGES) return
    const maxRestMs = Math.max(MAX_REST_MS, tookMs * REST_PER_QUERY_TIME)
    const rest = rests.get(store) ?? untilQuiet(store, maxRestMs).finally(() => rests.delete(store))
    rests.set(store, rest)
    await rest
  }
}

/** Resolves after a moment in which the store did not change, or after the longest rest. */
export async function untilQuiet(
  store: Pick<LocalStore, 'subscribe'>,
  maxRestMs: DurationMs = MAX_REST_MS,
): Promise<void> {
  const untilMs = performance.now() + maxRestMs
  let isQuiet = false
  const end = store.subscribe(() => {
    isQuiet = false
  })
  while (!isQuiet && performance.now() < untilMs) {
    isQuiet = true
    await new Promise((resolve) => setTimeout(resolve, QUIET_MS))
  }
  end()
}

/**
 * Returns a live query that runs once for all subscribers when a source changes, and again if it changes meanwhile.
 * `rest` waits before it runs again, by the time that it took.
 */
export function liveOver<T>(
  read: () => Promise<T>,
  sources: readonly ChangeSource[],
  rest: Rest = async () => {},
): Live<T> {
  const subscribers = new Set<Subscriber<T>>()
  let ends: (() => void)[] = []
  let deliver: ((subscriber: Subscriber<T>) => void) | undefined
  let current: T | undefined
  let isRunning = false
  let isStale = false
  /** Resolves when somebody subscribes to a query without subscribers, who waits for no rest. */
  let newSubscriber = Promise.withResolvers<void>()
  // In a microtask of its own, so that a subscriber that throws does not stop the others.
  const deliverTo = (one: Subscriber<T>) => queueMicrotask(() => subscribers.has(one) && deliver?.(one))
  const run = async (): Promise<void> => {
    isStale = true
    if (isRunning) return
    isRunning = true
    while (isStale && subscribers.size > 0) {
      isStale = false
      const startMs = performance.now()
      deliver = await read().then(
        (result) => {
          current = result
          return (one) => one.onResult(result)
        },
        (error) => (one) => one.onError(error),
      )
      subscribers.forEach(deliverTo)
      await Promise.race([rest(performance.now() - startMs), newSubscriber.promise])
    }
    isRunning = false
    if (subscribers.size === 0) forget()
  }
  const forget = () => {
    for (const end of ends) end()
    ends = []
    deliver = current = undefined
  }
  const subscribe: Live<T>['subscribe'] = (onResult, onError = () => {}) => {
    const one = { onResult, onError }
    subscribers.add(one)
    if (subscribers.size === 1) {
      newSubscriber.resolve()
      newSubscriber = Promise.withResolvers<void>()
      ends = sources.map((source) => source.subscribe(() => void run()))
      void run()
    } else deliverTo(one)
    return () => {
      subscribers.delete(one)
      if (subscribers.size === 0) forget()
    }
  }
  return {
    get current() {
      return current
    },
    read,
    subscribe,
    async *[Symbol.asyncIterator]() {
      let take: (() => T) | undefined
      let wake = () => {}
      const set = (next: () => T) => {
        take = next
        wake()
      }
      const end = subscribe(
        (result) => set(() => result),
        (error) =>
          set(() => {
            throw error
          }),
      )
      try {
        for (;;) {
          await new Promise<void>((resolve) => {
            wake = resolve
            if (take) resolve()
          })
          const next = take as unknown as () => T
          take = undefined
          yield next()
        }
      } finally {
        end()
      }
    },
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
