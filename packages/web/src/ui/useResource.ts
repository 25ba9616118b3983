import { useCallback, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { failureOf } from './feedback/failure.ts'

/** Data that only the service has. `failure` is a message for the user. */
export interface Resource<T> {
  answer: T | undefined
  failure: string | undefined
  again(): Promise<void>
}

/** Asks the service at once and whenever `again` is called. Memoize `ask`. */
export function useResource<T>(ask: () => Promise<T>): Resource<T> {
  const { t } = useTranslation()
  const [answer, setAnswer] = useState<T>()
  const [error, setError] = useState<{ error: unknown }>()
  const again = useCallback(async () => {
    try {
      setAnswer(await ask())
      setError(undefined)
    } catch (caught) {
      setError({ error: caught })
    }
  }, [ask])
  useEffect(() => void again(), [again])
  const failure = error && failureOf(error.error)
  return { answer, failure: failure && t(failure.key, { detail: failure.detail }), again }
}
