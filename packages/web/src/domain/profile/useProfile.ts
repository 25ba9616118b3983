import { useSaldo } from '@saldo/client/react'
import type { Profile } from '@saldo/core'
import { useSyncExternalStore } from 'react'
import { keptProfile, onKeptProfile } from './kept-profile.ts'

/** Returns the profile that this device keeps, which `useProfileSync` brings up to date. */
export function useProfile(): Profile {
  const { user } = useSaldo()
  return useSyncExternalStore(onKeptProfile, () => keptProfile(user))
}
