import { useCallback, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { failureOf } from '../../ui/feedback/failure.ts'

/** What the service alone knows. `failure` says in words why it does not tell. */
export interface Asked<T> {
  answer: T | undefined
  failure: string | undefined
  again(): Promise<void>
}

/** Asks at once, and whenever `again` is called. Memoize `ask`: another one is another question. */
export function useAsked<T>(ask: () => Promise<T>): Asked<T> {
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
