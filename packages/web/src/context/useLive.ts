import { type Live, StoreError } from '@saldo/client'
import { useEffect, useState } from 'react'

/**
 * Returns the newest result of a live query: `undefined` before the first one and while there is no query. Memoize
 * `live`: another object is another query. Throws the error of a failed query. But if only the local store fails, a
 * result stays, and with it what the user is typing beside it; the sync status tells of the store.
 */
export function useLive<T>(live: Live<T> | undefined): T | undefined {
  const [newest, setNewest] = useState<{ live: Live<T>; result: T }>()
  const [failed, setFailed] = useState<{ live: Live<T>; error: unknown }>()
  useEffect(
    () =>
      live?.subscribe(
        (result) => {
          setNewest({ live, result })
          setFailed(undefined)
        },
        (error) => setFailed({ live, error }),
      ),
    [live],
  )
  const shown = live && newest?.live === live ? newest : undefined
  if (failed && failed.live === live && !(shown && failed.error instanceof StoreError)) throw failed.error
  return shown?.result
}
