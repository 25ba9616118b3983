import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { failureOf, type OwnWords } from './failure.ts'

/** Runs an action of a form: `isBusy` while it runs, and afterwards `failure`, the reason why it failed, if it did. */
export function useAttempt(own: OwnWords = {}) {
  const { t } = useTranslation()
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()

  /** Resolves to true if the work succeeded. */
  const attempt = async (work: Promise<unknown>): Promise<boolean> => {
    setBusy(true)
    setFailure(undefined)
    try {
      await work
      return true
    } catch (error) {
      const { key, detail } = failureOf(error, own)
      setFailure(t(key, { detail }))
      return false
    } finally {
      setBusy(false)
    }
  }
  return { isBusy, failure, attempt }
}
