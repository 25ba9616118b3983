import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Failure, failureOf, type OwnWords } from './failure.ts'

/**
 * Runs an action of a form: `isBusy` while it runs, and afterwards `failure`, the reason why it failed, if it did, with
 * `failedField`, the field that it is about, if it is about one.
 */
export function useAttempt(own: OwnWords = {}) {
  const { t } = useTranslation()
  const [isBusy, setBusy] = useState(false)
  const [failed, setFailed] = useState<Failure>()

  /** Resolves to true if the work succeeded. */
  const attempt = async (work: Promise<unknown>): Promise<boolean> => {
    setBusy(true)
    setFailed(undefined)
    try {
      await work
      return true
    } catch (error) {
      setFailed(failureOf(error, own))
      return false
    } finally {
      setBusy(false)
    }
  }
  const failure = failed && t(failed.key, { detail: failed.detail })
  return { isBusy, failure, failedField: failed?.field, attempt }
}
