import { connect, OfflineError, RejectedError, type ServiceFacts } from '@saldo/client'
import { useSaldo, useSyncStatus } from '@saldo/client/react'
import { DEMO } from '@saldo/core'
import { useEffect, useState } from 'react'
import { useSignedIn } from '../../context/session.tsx'

/** True if the user is a visitor of a demo, whose account all visitors share (D23.3). Needs no network. */
export function useIsDemo(): boolean {
  return useSignedIn().user.email === DEMO.email
}

/** True if the session has ended because the service no longer has the user (D19.24). */
export function useIsErased(): boolean {
  const saldo = useSaldo()
  const needsSignIn = useSyncStatus()?.needsSignIn === true
  const [isErased, setErased] = useState(false)
  useEffect(() => {
    if (!needsSignIn) return
    // Loaded when it is needed: few sessions end, and fewer accounts.
    const asking = import('@saldo/client/user-accounts').then(({ userAccountExists }) => userAccountExists(saldo.user))
    asking.then(
      (exists) => setErased(!exists),
      (error: unknown) => {
        if (!(error instanceof OfflineError || error instanceof RejectedError)) throw error
      },
    )
  }, [needsSignIn, saldo.user])
  return needsSignIn && isErased
}

/** Returns false once the service says that the user has no password, but signs in at the company. */
export function useHasPassword(): boolean {
  const [hasPassword, setHasPassword] = useState(true)
  useEffect(() => {
    // Without the service, what needs the password cannot be done either.
    void connect()
      .me()
      .then(
        (me) => setHasPassword(me.hasPassword),
        () => undefined,
      )
  }, [])
  return hasPassword
}

/** Returns true once the service says that the user is an admin. */
export function useIsAdmin(): boolean {
  const [isAdmin, setAdmin] = useState(false)
  useEffect(() => {
    // Without the service, no account can be changed either.
    void connect()
      .me()
      .then(
        ({ role }) => setAdmin(role === 'admin'),
        () => undefined,
      )
  }, [])
  return isAdmin
}

/** Returns how people sign in and up at the service; `undefined` until it answers, and while it cannot be reached. */
export function useServiceFacts(): ServiceFacts | undefined {
  const [facts, setFacts] = useState<ServiceFacts>()
  useEffect(() => {
    // A service that cannot be reached is reported when the user tries to sign in.
    void connect()
      .service()
      .then(setFacts, () => undefined)
  }, [])
  return facts
}
