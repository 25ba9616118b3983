import type { Status } from '@saldo/client'
import { useEffect } from 'react'
import { requestPersistence, shouldRequestPersistence } from './browser-storage.ts'

let isRequested = false

/** Asks the browser once, when data is on this device only, not to delete it by itself. */
export function usePersistentStorage(status: Status): void {
  const isNeeded = shouldRequestPersistence(status)
  useEffect(() => {
    if (!isNeeded || isRequested) return
    isRequested = true
    void requestPersistence()
  }, [isNeeded])
}
