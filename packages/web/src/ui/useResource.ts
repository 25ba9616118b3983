import { useCallback, useEffect, useState } from 'react'
import { useTranslation } from '../i18n/translation.ts'
import { failureOf } from './feedback/failure.ts'

/** The outcome of a question to the service. */
export type ResourceOutcome<Answer> = { answer: Answer } | { error: unknown }

/** The last answer of the service, and why the last question failed, if it did. */
interface Known<Answer> {
  answer?: Answer
  failed?: { error: unknown }
}

/** Returns a function that asks, and shows the outcome unless it has asked again meanwhile. */
export function latestOnly<Answer>(
  show: (outcome: ResourceOutcome<Answer>) => void,
): (ask: () => Promise<Answer>) => Promise<void> {
  let latest = 0
  return async (ask) => {
    latest += 1
    const turn = latest
    const outcome = await ask().then(
      (answer) => ({ answer }),
      (error: unknown) => ({ error }),
    )
    if (turn === latest) show(outcome)
  }
}

/** Returns what is known after an outcome: the answer before stays while a later question fails. */
export function knownAfter<Answer>(before: Known<Answer>, outcome: ResourceOutcome<Answer>): Known<Answer> {
  return 'answer' in outcome ? outcome : { ...before, failed: outcome }
}

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
