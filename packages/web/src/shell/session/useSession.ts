import { connect, NotSignedInError, OfflineError, type Saldo } from '@saldo/client'
import { useCallback, useEffect, useState } from 'react'
import { forgetPreferences } from '../../context/preferences.ts'
import {
  forgetOthersOfTab,
  forgetUser,
  onOtherUser,
  type RememberedUser,
  rememberedUser,
  rememberUser,
  removeTraces,
} from '../../context/remembered-user.ts'
import type { SignedIn } from '../../context/session.tsx'
import { hideToasts } from '../../ui/feedback/messages.tsx'
import { forgetAllUndo } from '../../ui/feedback/undo-stack.ts'
import { leaveAtOnce } from '../../ui/unsaved.ts'
import { preloadView } from '../views.ts'

export type Session =
  | { phase: 'starting' }
  /**
   * `isOffline`: nobody is remembered, and the service cannot be asked who is signed in. `providerSignOutUrl`: the user
   * has just signed out, and the company's sign-in still has a session.
   */
  | { phase: 'signedOut'; isOffline: boolean; providerSignOutUrl?: string | undefined }
  | { phase: 'open'; saldo: Saldo; user: RememberedUser }
  | { phase: 'failed'; error: unknown }

export interface SessionActions extends Pick<SignedIn, 'leave'> {
  /** Opens the local database of a user whom the service has just let in. */
  enter(user: RememberedUser): Promise<void>
}

/** Opens the account of the remembered user, offline too, or else of the user of the session cookie. */
export function useSession(): [Session, SessionActions] {
  const [session, setSession] = useState<Session>({ phase: 'starting' })

  const enter = useCallback(async (user: RememberedUser) => {
    preloadView(location.pathname)
    const { openBrowserDevice } = await import('../signed-in.ts')
    const saldo = await openBrowserDevice(user.user)
    const remembered = { user: user.user, email: user.email }
    rememberUser(remembered)
    setSession({ phase: 'open', saldo, user: remembered })
  }, [])

  useEffect(() => {
    let isOver = false
    const start = async () => {
      forgetOthersOfTab()
      const user = rememberedUser() ?? (await connect().me())
      if (!isOver) await enter(user)
    }
    start().catch((error) => {
      if (isOver) return
      const isOffline = error instanceof OfflineError
      const isNobody = isOffline || error instanceof NotSignedInError
      setSession(isNobody ? { phase: 'signedOut', isOffline } : { phase: 'failed', error })
    })
    return () => {
      isOver = true
    }
  }, [enter])

  // Whoever signs out in one tab leaves nothing on the screens of the others.
  const openUser = session.phase === 'open' ? session.user.user : undefined
  useEffect(() => {
    if (openUser !== undefined) return onOtherUser(openUser, leaveAtOnce)
  }, [openUser])

  const leave = useCallback<SessionActions['leave']>(
    async ({ force, forget }) => {
      if (session.phase !== 'open') return
      const { saldo, user } = session
      const providerSignOutUrl = await saldo.signOut({ force })
      if (forget) {
        await saldo.forget({ force })
        removeTraces(user.user)
        forgetPreferences()
      } else {
        await saldo.close()
      }
      forgetUser()
      sessionStorage.clear()
      hideToasts()
      forgetAllUndo()
      setSession({ phase: 'signedOut', isOffline: false, providerSignOutUrl })
    },
    [session],
  )

  return [session, { enter, leave }]
}
