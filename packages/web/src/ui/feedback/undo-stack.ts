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
