/** Work in small steps: it yields between two of them, so that whoever does it can let others go first. */
export type Steps<R> = Generator<void, R>

/** Does all steps at once, and returns their result. */
export function finishSteps<R>(steps: Steps<R>): R {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}
