import type { Steps } from '@saldo/core'

/** Long work lets others go first after so many milliseconds. */
const MAX_SLICE_MS = 5

/** When a database first worked in this turn of the event loop; undefined before. */
let turnBeganMs: number | undefined

/**
 * Returns when a database first worked in this turn of the event loop. Whoever reads by many statements, each a
 * transaction by itself, has one slice for all of them: with one for each, they would never let others go first.
 */
export function beginningOfTurn(): number {
  if (turnBeganMs === undefined) {
    turnBeganMs = performance.now()
    setImmediate(() => {
      turnBeganMs = undefined
    })
  }
  return turnBeganMs
}

/**
 * The time that a piece of work has on the thread, which it shares with all requests: work that asks `isUsedUp` between
 * its steps, and then awaits `renew`, keeps nobody waiting for longer than a slice and a step.
 */
export class TimeSlice {
  #beganMs = performance.now()

  begin(atMs = performance.now()): void {
    this.#beganMs = atMs
  }

  isUsedUp(): boolean {
    return performance.now() - this.#beganMs >= MAX_SLICE_MS
  }

  /** Ends the turn of the event loop, and begins another slice. */
  async renew(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve))
    this.begin()
  }
}

/** Returns the results of `work` for each item, in order, in slices. */
export async function mapInSlices<T, R>(items: readonly T[], work: (item: T) => R): Promise<R[]> {
  const slice = new TimeSlice()
  const results: R[] = []
  for (const item of items) {
    if (slice.isUsedUp()) await slice.renew()
    results.push(work(item))
  }
  return results
}

/** Does work that comes in small steps, in slices. */
export async function inSlices<R>(steps: Steps<R>): Promise<R> {
  const slice = new TimeSlice()
  for (;;) {
    if (slice.isUsedUp()) await slice.renew()
    const step = steps.next()
    if (step.done) return step.value
  }
}
