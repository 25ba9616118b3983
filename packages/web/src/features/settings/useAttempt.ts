import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { failureOf, type OwnWords } from '../../ui/feedback/failure.ts'

/** Something that the service may refuse, with the reason beside the field. */
export function useAttempt(own: OwnWords) {
  const { t } = useTranslation()
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()

  /** Resolved with whether it worked. */
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
