import { useMemo, useSyncExternalStore } from 'react'
import type { Live } from '../queries/live-query.ts'
import { StoreError } from '../store/errors.ts'

/**
 * Returns the newest result of a live query: `undefined` before the first one and while there is no query. Memoize
 * `live`: another object is another query. Throws the error of a failed query, for the nearest error boundary. But if
 * only the local store fails, a result stays, and with it what the user is typing beside it; `useSyncStatus` tells of
 * the store.
 */
export function useLive<T>(live: Live<T> | undefined): T | undefined {
  const { subscribe, read } = useMemo(() => outcomesOf(live), [live])
  const { result, failure } = useSyncExternalStore(subscribe, read, read)
  if (failure && !(result !== undefined && failure.error instanceof StoreError)) throw failure.error
  return result
}

/** The newest result of a query, and its failure if it failed after that. */
interface Outcome<T> {
  result: T | undefined
  failure?: { error: unknown }
}

/** Returns the outcomes of a query as a store of React, whose snapshots change only with them. */
function outcomesOf<T>(live: Live<T> | undefined) {
  let outcome: Outcome<T> = { result: live?.current }
  return {
    read: () => outcome,
    subscribe(onChange: () => void): () => void {
      const set = (next: Outcome<T>) => {
        outcome = next
        onChange()
      }
      const end = live?.subscribe(
        (result) => set({ result }),
        (error) => set({ result: outcome.result, failure: { error } }),
      )
      return end ?? (() => {})
    },
  }
}
