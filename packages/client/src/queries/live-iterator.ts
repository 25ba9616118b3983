import type { Live, Outcome } from './live-query.ts'

/** Yields the newest result of a live query now and after changes, and throws if the query fails. */
export async function* iterateLive<T>(subscribe: Live<T>['subscribe']): AsyncGenerator<T, undefined> {
  let newest: Outcome<T> | undefined
  let wake = () => {}
  const set = (outcome: Outcome<T>) => {
    newest = outcome
    wake()
  }
  const takeNewest = () => {
    const taken = newest
    newest = undefined
    return taken
  }
  const end = subscribe(
    (result) => set({ result }),
    (error) => set({ error }),
  )
  try {
    for (;;) {
      const outcome = takeNewest()
      if (!outcome) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      } else if ('error' in outcome) throw outcome.error
      else yield outcome.result
    }
  } finally {
    end()
  }
}
