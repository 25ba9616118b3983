import type { LocalStore, Tables } from './store/store.ts'

/** A question to the local store whose answer is told again after each transaction that wrote something. */
export interface Live<T> {
  /** The answer now. */
  read(): Promise<T>
  /** Tells the answer now and whenever it may have changed, until the returned function is called; or that it fails. */
  subscribe(listener: (answer: T) => void, failed?: (error: unknown) => void): () => void
}

/** A live query over a store. While an answer is worked out, any number of transactions lead to one more. */
export function live<T>(store: LocalStore, query: (tables: Tables) => Promise<T>): Live<T> {
  return {
    read: () => store.run(query),
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
          await store.run(query).then((answer) => !ended && listener(answer), failed)
        }
        asking = false
      }
      const end = store.subscribe(() => void ask())
      void ask()
      return () => {
        ended = true
        end()
      }
    },
  }
}
