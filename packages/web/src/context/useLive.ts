import type { Live } from '@saldo/client'
import { useEffect, useState } from 'react'

/**
 * Returns the newest result of a live query: `undefined` before the first one and while there is no query. Memoize
 * `live`: another object is another query. Throws the error of a failed query.
 */
export function useLive<T>(live: Live<T> | undefined): T | undefined {
  const [newest, setNewest] = useState<{ live: Live<T>; result: T }>()
  const [failure, setFailure] = useState<{ error: unknown }>()
  useEffect(
    () =>
      live?.subscribe(
        (result) => setNewest({ live, result }),
        (error) => setFailure({ error }),
      ),
    [live],
  )
  if (failure) throw failure.error
  return live && newest?.live === live ? newest.result : undefined
}
