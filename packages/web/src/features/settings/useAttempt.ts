import { RefusedError } from '@saldo/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { failureOf } from '../../ui/feedback/failure.ts'

/** Something that the service may refuse, with the reason beside the field. `wrong` says that the password was not right. */
export function useAttempt(wrong: string) {
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
      const { key, detail } = failureOf(error)
      const isWrong = error instanceof RefusedError && error.problem.code === 'forbidden'
      setFailure(isWrong ? wrong : t(key, { detail }))
      return false
    } finally {
      setBusy(false)
    }
  }
  return { isBusy, failure, attempt }
}
