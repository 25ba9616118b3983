import type { Live } from '@saldo/client'
import { useEffect, useState } from 'react'

/** The newest answer of a live query; `undefined` before the first. Memoize `live`: another one is another question. */
export function useLive<T>(live: Live<T>): T | undefined {
  const [told, setTold] = useState<{ live: Live<T>; answer: T }>()
  const [failure, setFailure] = useState<{ error: unknown }>()
  useEffect(
    () =>
      live.subscribe(
        (answer) => setTold({ live, answer }),
        (error) => setFailure({ error }),
      ),
    [live],
  )
  if (failure) throw failure.error
  return told?.live === live ? told.answer : undefined
}
