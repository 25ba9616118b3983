/** The outcome of a query. */
export type LiveOutcome<T> = { result: T } | { error: unknown }

type Subscribe<T> = (onResult: (result: T) => void, onError?: (error: unknown) => void) => () => void

/** Yields the newest result of a live query now and after changes, and throws if the query fails. */
export async function* iterateLive<T>(subscribe: Subscribe<T>): AsyncGenerator<T, undefined> {
  let newest: LiveOutcome<T> | undefined
  let wake = () => {}
  const set = (outcome: LiveOutcome<T>) => {
    newest = outcome
    wake()
  }
  const end = subscribe(
    (result) => set({ result }),
    (error) => set({ error }),
  )
  try {
    for (;;) {
      while (!newest) await new Promise<void>((resolve) => (wake = resolve))
      const outcome: LiveOutcome<T> = newest
      newest = undefined
      if ('error' in outcome) throw outcome.error
      yield outcome.result
    }
  } finally {
    end()
  }
}
