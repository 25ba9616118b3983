import { useCallback, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { failureOf } from './feedback/failure.ts'
import { type Known, knownAfter, latestOnly } from './latest-only.ts'

/** Data that only the service has. `failure` is a message for the user. */
export interface Resource<T> {
  answer: T | undefined
  failure: string | undefined
  again(): Promise<void>
}

/** Asks the service at once and whenever `again` is called. Memoize `ask`. */
export function useResource<T>(ask: () => Promise<T>): Resource<T> {
  const { t } = useTranslation()
  const [{ answer, failed }, setKnown] = useState<Known<T>>({})
  const [askLatest] = useState(() => latestOnly<T>((outcome) => setKnown((before) => knownAfter(before, outcome))))
  const again = useCallback(() => askLatest(ask), [askLatest, ask])
  useEffect(() => void again(), [again])
  const failure = failed && failureOf(failed.error)
  return { answer, failure: failure && t(failure.key, { detail: failure.detail }), again }
}
