import type { Live } from '@saldo/client'
import { startTransition, useEffect, useState } from 'react'

/**
 * The newest answer of a live query; `undefined` before the first, and while nothing is asked. Memoize `live`: another one is
 * another question. Answers are drawn as a transition: what a person does meanwhile is answered first.
 */
export function useLive<T>(live: Live<T> | undefined): T | undefined {
  const [told, setTold] = useState<{ live: Live<T>; answer: T }>()
  const [failure, setFailure] = useState<{ error: unknown }>()
  useEffect(
    () =>
      live?.subscribe(
        (answer) => startTransition(() => setTold({ live, answer })),
        (error) => setFailure({ error }),
      ),
    [live],
  )
  if (failure) throw failure.error
  return live && told?.live === live ? told.answer : undefined
}
