import type { Live } from '@saldo/client'
import { startTransition, useEffect, useState } from 'react'
import { afterPaint } from './after-paint.ts'

/**
 * The newest answer of a live query; `undefined` before the first, and while nothing is asked. Memoize `live`: another one is
 * another question. It is asked after the next frame, since an answer that is remembered is worked out at once, and answers are
 * drawn as a transition: what a person does is answered first.
 */
export function useLive<T>(live: Live<T> | undefined): T | undefined {
  const [told, setTold] = useState<{ live: Live<T>; answer: T }>()
  const [failure, setFailure] = useState<{ error: unknown }>()
  useEffect(() => {
    if (!live) return
    let end = () => {}
    const dontAsk = afterPaint(() => {
      end = live.subscribe(
        (answer) => startTransition(() => setTold({ live, answer })),
        (error) => setFailure({ error }),
      )
    })
    return () => {
      dontAsk()
      end()
    }
  }, [live])
  if (failure) throw failure.error
  return live && told?.live === live ? told.answer : undefined
}
