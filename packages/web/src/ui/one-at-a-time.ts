/**
 * Returns a function that runs work, one at a time: what is asked for while other work runs is not done, and resolves
 * to `undefined`. Calls `onBusy` when work begins and when it has ended, also if it failed.
 */
export function oneAtATime(
  onBusy: (isBusy: boolean) => void,
): <Result>(work: () => Promise<Result>) => Promise<Result | undefined> {
  let isBusy = false
  const set = (next: boolean) => {
    isBusy = next
    onBusy(next)
  }
  return async (work) => {
    if (isBusy) return undefined
    set(true)
    try {
      return await work()
    } finally {
      set(false)
    }
  }
}
