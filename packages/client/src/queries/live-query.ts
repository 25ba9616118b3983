import type { DateRange } from '@saldo/core'
import type { Changed, LocalStore, ReadTables } from '../store/store.ts'

/** A question to the local store whose answer is told again after each transaction that wrote something. */
export interface Live<T> {
  /** The answer now. */
  read(): Promise<T>
  /** Tells the answer now and whenever it may have changed, until the returned function is called; or that it fails. */
  subscribe(listener: (answer: T) => void, failed?: (error: unknown) => void): () => void
}

/** Something that tells when it has changed. */
export interface Changing {
  subscribe(listener: () => void): () => void
}

/** A live query over tables of a store, or kinds of what it holds. */
export function live<T>(
  store: LocalStore,
  over: readonly Changed[],
  query: (tables: ReadTables) => Promise<T>,
): Live<T> {
  return liveOf(() => store.read(query), [tablesOf(store, over)])
}

/** Tells when any of some tables has changed, or whether the store can be used. */
export function tablesOf(store: LocalStore, over: readonly Changed[]): Changing {
  return {
    subscribe: (listener) =>
      store.subscribe((changed) => {
        if (changed.size === 0 || over.some((one) => changed.has(one))) listener()
      }),
  }
}

interface Listener<T> {
  listener: (answer: T) => void
  failed: (error: unknown) => void
}

/**
 * An answer that is worked out anew when any of `sources` changed, once for all who listen. Meanwhile any number of changes
 * lead to one more.
 */
export function liveOf<T>(read: () => Promise<T>, sources: readonly Changing[]): Live<T> {
  const listeners = new Set<Listener<T>>()
  let ends: (() => void)[] = []
  let newest: ((one: Listener<T>) => void) | undefined
  let asking = false
  let again = false
  // In a task of its own: a listener that throws does not end this.
  const tell = (one: Listener<T>) => queueMicrotask(() => listeners.has(one) && newest?.(one))
  const ask = async (): Promise<void> => {
    again = true
    if (asking) return
    asking = true
    while (again && listeners.size > 0) {
      again = false
      newest = await read().then(
        (answer) => (one) => one.listener(answer),
        (error) => (one) => one.failed(error),
      )
      listeners.forEach(tell)
    }
    asking = false
  }
  return {
    read,
    subscribe(listener, failed = () => {}) {
      const one = { listener, failed }
      listeners.add(one)
      if (listeners.size === 1) {
        newest = undefined
        ends = sources.map((source) => source.subscribe(() => void ask()))
        void ask()
      } else tell(one)
      return () => {
        listeners.delete(one)
        if (listeners.size === 0) for (const end of ends) end()
      }
    },
  }
}

/** So many ranges are known. */
const MOST = 50

/** Questions of a range; the same is one, so that who listens already and who comes later are told the same. */
export function ofRange<T>(ask: (range: DateRange) => Live<T>): (range: DateRange) => Live<T> {
  const known = new Map<string, Live<T>>()
  return (range) => {
    const key = range.from + range.to
    const found = known.get(key) ?? ask(range)
    if (known.size > MOST) known.clear()
    known.set(key, found)
    return found
  }
}
