import { NotSignedInError, OfflineError } from '@saldo/client'
import type { Profile } from '@saldo/core'
import { useEffect, useState } from 'react'
import { useSaldo } from '../../context/saldo.tsx'
import { keepProfile, keptProfile } from './kept-profile.ts'

/** Returns the profile that this device keeps, then the one of the service if it can be reached. */
export function useProfile(): Profile {
  const { session, user } = useSaldo()
  const [profile, setProfile] = useState(() => keptProfile(user))
  useEffect(() => {
    let isShown = true
    session.profile().then(
      (read) => {
        keepProfile(user, read)
        if (isShown) setProfile(read)
      },
      (error: unknown) => {
        if (!(error instanceof OfflineError || error instanceof NotSignedInError)) throw error
      },
    )
    return () => {
      isShown = false
    }
  }, [session, user])
  return profile
}
