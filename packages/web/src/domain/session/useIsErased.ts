import { OfflineError, RejectedError } from '@saldo/client'
import { useSaldo, useSyncStatus } from '@saldo/client/react'
import { useEffect, useState } from 'react'

/** True if the session has ended because the service no longer has the user (D19.24). */
export function useIsErased(): boolean {
  const saldo = useSaldo()
  const needsSignIn = useSyncStatus()?.needsSignIn === true
  const [isErased, setErased] = useState(false)
  useEffect(() => {
    if (!needsSignIn) return
    // Loaded when it is needed: few sessions end, and fewer accounts.
    const asking = import('@saldo/client/accounts').then(({ accountExists }) => accountExists(saldo.user))
    asking.then(
      (exists) => setErased(!exists),
      (error: unknown) => {
        if (!(error instanceof OfflineError || error instanceof RejectedError)) throw error
      },
    )
  }, [needsSignIn, saldo.user])
  return needsSignIn && isErased
}
