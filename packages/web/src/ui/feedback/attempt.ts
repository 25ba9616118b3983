import { type Failure, failureOf, type OwnWords } from './failure.ts'

/** An action of a form: `isBusy` while it runs, and afterwards the reason why it failed, if it did. */
export interface Attempt {
  isBusy: boolean
  failed?: Failure
}

/** Waits for the work of a form, and shows when it runs and how it ended. Resolves to true if the work succeeded. */
export async function attemptWork(
  work: Promise<unknown>,
  own: OwnWords,
  show: (attempt: Attempt) => void,
): Promise<boolean> {
  show({ isBusy: true })
  try {
    await work
    show({ isBusy: false })
    return true
  } catch (error) {
    show({ isBusy: false, failed: failureOf(error, own) })
    return false
  }
}
