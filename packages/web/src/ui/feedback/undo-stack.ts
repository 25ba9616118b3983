type GoBack = () => Promise<unknown>

/** The number of steps that can be undone by keyboard. */
const MOST = 50

const steps: GoBack[] = []

/** Remembers how the newest step is taken back; returns the same. */
export function offerUndo(goBack: GoBack): GoBack {
  steps.push(goBack)
  if (steps.length > MOST) steps.shift()
  return goBack
}

/** Takes a step off the stack and returns what takes it back; the newest where none is named. */
export function forgetUndo(step = steps.at(-1)): GoBack | undefined {
  const index = step ? steps.lastIndexOf(step) : -1
  return index < 0 ? undefined : steps.splice(index, 1)[0]
}
