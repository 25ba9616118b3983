import type { Changed, LocalStore, ReadTables } from './store/store.ts'

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

/** An answer that is worked out anew when any of `sources` changed. Meanwhile any number of changes lead to one more. */
export function liveOf<T>(read: () => Promise<T>, sources: readonly Changing[]): Live<T> {
  return {
    read,
    subscribe(listener, failed = () => {}) {
      let ended = false
      let asking = false
      let again = false
      const ask = async (): Promise<void> => {
        again = true
        if (asking) return
        asking = true
        while (again && !ended) {
          again = false
          // In a task of its own: a listener that throws does not end this.
          await read().then((answer) => queueMicrotask(() => !ended && listener(answer)), failed)
        }
        asking = false
      }
      const ends = sources.map((source) => source.subscribe(() => void ask()))
      void ask()
      return () => {
        ended = true
        for (const end of ends) end()
      }
    },
  }
}
