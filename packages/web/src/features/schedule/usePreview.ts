import type { AlteredWeek } from '@saldo/client'
import type { Settings } from '@saldo/core'
import { useEffect, useState } from 'react'
import { useSaldo } from '../../context/saldo.tsx'

const SETTLED_AFTER_MS = 250

/** Which closed weeks a row would alter; `undefined` while that is being reckoned. Memoize the row. */
export function usePreview(row: Settings | undefined): AlteredWeek[] | undefined {
  const saldo = useSaldo()
  const [told, setTold] = useState<{ row: Settings; weeks: AlteredWeek[] }>()
  const [failure, setFailure] = useState<{ error: unknown }>()
  useEffect(() => {
    if (!row) return undefined
    let isWanted = true
    const timer = setTimeout(() => {
      saldo.account.preview(row).then(
        (weeks) => isWanted && setTold({ row, weeks }),
        (error) => isWanted && setFailure({ error }),
      )
    }, SETTLED_AFTER_MS)
    return () => {
      isWanted = false
      clearTimeout(timer)
    }
  }, [saldo, row])
  if (failure) throw failure.error
  return row && told?.row === row ? told.weeks : undefined
}
