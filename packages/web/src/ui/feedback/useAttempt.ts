import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Attempt, attemptWork } from './attempt.ts'
import type { OwnWords } from './failure.ts'

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
