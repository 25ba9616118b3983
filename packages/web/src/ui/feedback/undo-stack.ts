type GoBack = () => Promise<unknown>

/** The number of steps that can be undone by keyboard. */
const MOST = 50

const steps: GoBack[] = []

/** Pushes the undo function of a step onto the stack, and returns it. */
export function offerUndo(goBack: GoBack): GoBack {
  steps.push(goBack)
  if (steps.length > MOST) steps.shift()
  return goBack
}

/** Removes a step, by default the newest, from the stack and returns its undo function. */
export function forgetUndo(step = steps.at(-1)): GoBack | undefined {
  const index = step ? steps.lastIndexOf(step) : -1
  return index < 0 ? undefined : steps.splice(index, 1)[0]
}

/** Empties the stack: another user must not undo what this one did. */
export function forgetAllUndo(): void {
  steps.length = 0
}

/** Work that can be undone while it is under way. */
export interface BegunWork {
  /** Undoes this work, whatever began after it; nothing if that has happened already. */
  undo(): Promise<void>
  /** True once the work survives a reload; false if it failed before. */
  kept: Promise<boolean>
  /** True if the work succeeded. */
  done: Promise<boolean>
}

/**
 * Puts the undo of work onto the stack at once, because a key can be pressed before the work is kept. Work that fails
 * leaves the stack. `queued` resolves once the work survives a reload, `worked` to true if it succeeded.
 */
export function beginWork(queued: Promise<unknown>, worked: Promise<boolean>, goBack: GoBack): BegunWork {
  const kept = queued.then(
    () => true,
    () => false,
  )
  const step = offerUndo(async () => {
    if (await kept) await goBack()
  })
  const done = worked.then((isDone) => {
    if (!isDone) forgetUndo(step)
    return isDone
  })
  const undo = async () => {
    await forgetUndo(step)?.()
  }
  return { undo, kept, done }
}
