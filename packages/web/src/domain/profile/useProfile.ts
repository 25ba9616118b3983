import { useSaldo } from '@saldo/client/react'
import type { Preferences, Profile } from '@saldo/core'
import { useEffect, useSyncExternalStore } from 'react'
import { changePreferences } from '../../context/preferences.ts'
import { useIsDemo } from '../session/session-hooks.ts'
import { changeOnAllDevices, keptProfile, onKeptProfile, syncProfile } from './sync-profile.ts'

/** Returns the profile that this device keeps, which `useProfileSync` brings up to date. */
export function useProfile(): Profile {
  const { user } = useSaldo()
  return useSyncExternalStore(onKeptProfile, () => keptProfile(user))
}

/**
 * Syncs profile, address and preferences at the start, and when the app is online or visible again. Visitors of a demo,
 * who share an account, have preferences of their own.
 */
export function useProfileSync(): void {
  const { userAccount, user } = useSaldo()
  const isDemo = useIsDemo()
  useEffect(() => {
    if (isDemo) return undefined
    const sync = () => void syncProfile(user, userAccount)
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
  }, [userAccount, user, isDemo])
}

/** Returns the function that changes preferences on all devices of the user; of a visitor of a demo, on this one. */
export function useChangePreferences(): (changed: Partial<Preferences>) => void {
  const { userAccount, user } = useSaldo()
  const isDemo = useIsDemo()
  if (isDemo) return changePreferences
  return (changed) => void changeOnAllDevices(user, userAccount, changed)
}
