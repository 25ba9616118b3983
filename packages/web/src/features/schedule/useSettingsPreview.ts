import type { Saldo, SettingsPreview } from '@saldo/client'
import { useSaldo } from '@saldo/client/react'
import type { Settings } from '@saldo/core'
import { useEffect, useState } from 'react'

const DEBOUNCE_MS = 250

/** Previews a row with the holidays that it brings or ends. The library of holidays loads for it. */
async function previewWithHolidays(saldo: Saldo, row: Settings): Promise<SettingsPreview> {
  const { knownDays } = await import('@saldo/core/public-holidays')
  return saldo.account.preview(row, knownDays)
}

/** Returns the effect of a settings row on the balance; `undefined` while it is computed. */
export function useSettingsPreview(row: Settings | undefined): SettingsPreview | undefined {
  const saldo = useSaldo()
  // Rows are compared by content: each render may make a new object.
  const key = row && JSON.stringify(row)
  const [computed, setComputed] = useState<{ key: string; preview: SettingsPreview }>()
  const [failure, setFailure] = useState<{ error: unknown }>()
  useEffect(() => {
    if (key === undefined) return undefined
    let isCurrent = true
    const timer = setTimeout(() => {
      previewWithHolidays(saldo, JSON.parse(key) as Settings).then(
        (preview) => isCurrent && setComputed({ key, preview }),
        (error) => isCurrent && setFailure({ error }),
      )
    }, DEBOUNCE_MS)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [saldo, key])
  if (failure) throw failure.error
  return computed && computed.key === key ? computed.preview : undefined
}
