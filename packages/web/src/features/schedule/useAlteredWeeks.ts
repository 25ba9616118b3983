import type { AlteredWeek } from '@saldo/client'
import type { Settings } from '@saldo/core'
import { useEffect, useState } from 'react'
import { useSaldo } from '../../context/saldo.tsx'

const DEBOUNCE_MS = 250

/** Returns the closed weeks that a settings row would alter; `undefined` while they are computed. */
export function useAlteredWeeks(row: Settings | undefined): AlteredWeek[] | undefined {
  const saldo = useSaldo()
  // Rows are compared by content: each render may make a new object.
  const key = row && JSON.stringify(row)
  const [preview, setPreview] = useState<{ key: string; weeks: AlteredWeek[] }>()
  const [failure, setFailure] = useState<{ error: unknown }>()
  useEffect(() => {
    if (key === undefined) return undefined
    let isCurrent = true
    const timer = setTimeout(() => {
      saldo.account.preview(JSON.parse(key) as Settings).then(
        (weeks) => isCurrent && setPreview({ key, weeks }),
        (error) => isCurrent && setFailure({ error }),
      )
    }, DEBOUNCE_MS)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [saldo, key])
  if (failure) throw failure.error
  return preview && preview.key === key ? preview.weeks : undefined
}
