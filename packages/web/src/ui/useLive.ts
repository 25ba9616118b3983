import type { Live } from '@saldo/client'
import { useEffect, useState } from 'react'

/**
 * The newest answer of a live query; `undefined` before the first, and while nothing is asked. Memoize `live`: another one is
 * another question.
 */
export function useLive<T>(live: Live<T> | undefined): T | undefined {
  const [told, setTold] = useState<{ live: Live<T>; answer: T }>()
  const [failure, setFailure] = useState<{ error: unknown }>()
  useEffect(
    () =>
      live?.subscribe(
        (answer) => setTold({ live, answer }),
        (error) => setFailure({ error }),
      ),
    [live],
  )
  if (failure) throw failure.error
  return live && told?.live === live ? told.answer : undefined
}
