import type { Live, Outcome } from './live-query.ts'

/** Yields the newest result of a live query now and after changes, and throws if the query fails. */
export async function* iterateLive<T>(subscribe: Live<T>['subscribe']): AsyncGenerator<T, undefined> {
  let newest: Outcome<T> | undefined
  let wake = () => {}
  const set = (outcome: Outcome<T>) => {
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
      const outcome: Outcome<T> = newest
      newest = undefined
      if ('error' in outcome) throw outcome.error
      yield outcome.result
    }
  } finally {
    end()
  }
}
