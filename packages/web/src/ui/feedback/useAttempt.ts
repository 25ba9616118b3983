import { useState } from 'react'
import { useTranslation } from '../../i18n/translation.ts'
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

/**
 * Runs an action of a form: `isBusy` while it runs, and afterwards `failure`, the reason why it failed, if it did, with
 * `failedField`, the field that it is about, if it is about one.
 */
export function useAttempt(own: OwnWords = {}) {
  const { t } = useTranslation()
  const [{ isBusy, failed }, show] = useState<Attempt>({ isBusy: false })
  const failure = failed && t(failed.key, { detail: failed.detail })
  /** Resolves to true if the work succeeded. */
  const attempt = (work: Promise<unknown>) => attemptWork(work, own, show)
  return { isBusy, failure, failedField: failed?.field, attempt }
}

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

/** Returns a function that runs the work of a button, once however often it is pressed, and whether it runs. */
export function useBusy() {
  const [isBusy, setBusy] = useState(false)
  const [run] = useState(() => oneAtATime(setBusy))
  return { isBusy, run }
}
