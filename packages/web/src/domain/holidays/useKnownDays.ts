import type { KnownDays } from '@saldo/core'
import { useEffect, useState } from 'react'

/** Returns the library of holidays once it is loaded. */
export function useKnownDays(): KnownDays | undefined {
  const [library, setLibrary] = useState<{ knownDays: KnownDays }>()
  useEffect(() => {
    void import('@saldo/core/public-holidays').then(({ knownDays }) => setLibrary({ knownDays }))
  }, [])
  return library?.knownDays
}
