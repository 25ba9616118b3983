import { useSaldo } from '@saldo/client/react'
import type { Preferences } from '@saldo/core'
import { useEffect } from 'react'
import { changeOnAllDevices, syncProfile } from './sync-profile.ts'

/** Syncs profile, address and preferences at the start, and when the app is online or visible again. */
export function useProfileSync(): void {
  const { session, user } = useSaldo()
  useEffect(() => {
    const sync = () => void syncProfile(user, session)
    const syncIfVisible = () => {
      if (document.visibilityState === 'visible') sync()
    }
    sync()
    addEventListener('online', sync)
    document.addEventListener('visibilitychange', syncIfVisible)
    return () => {
      removeEventListener('online', sync)
      document.removeEventListener('visibilitychange', syncIfVisible)
    }
  }, [session, user])
}

/** Returns the function that changes preferences on all devices of the user. */
export function useChangePreferences(): (changed: Partial<Preferences>) => void {
  const { session, user } = useSaldo()
  return (changed) => void changeOnAllDevices(user, session, changed)
}
