import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core'
import { connect } from '@saldo/client'
import { lazy, Suspense, useEffect, useState } from 'react'
import { FormatProvider } from '../context/FormatProvider.tsx'
import { signInFailureIn } from '../domain/session/sign-in-model.ts'
import { ErrorBoundary, Failed } from '../ui/feedback/ErrorBoundary.tsx'
import { cssVariablesResolver, theme } from '../ui/theme.ts'
import { Messages } from './Messages.tsx'
import { linkIn } from './session/link-address.ts'
import { useSession } from './session/useSession.ts'

const ConfirmEmail = lazy(() => import('../features/sign-in/link/ConfirmEmail.tsx'))
const LinkPage = lazy(() => import('../features/sign-in/link/LinkPage.tsx'))
const OtherUsersLink = lazy(() => import('../features/sign-in/link/OtherUsersLink.tsx'))
const SignIn = lazy(() => import('../features/sign-in/SignIn.tsx'))
const SignedInApp = lazy(async () => ({ default: (await import('./signed-in.ts')).SignedInApp }))

const colorSchemeManager = localStorageColorSchemeManager({ key: 'saldo.colorScheme' })

export function App() {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariablesResolver}
      colorSchemeManager={colorSchemeManager}
      defaultColorScheme="auto"
    >
      <FormatProvider>
        <ErrorBoundary>
          <Entrance />
          <Messages />
        </ErrorBoundary>
      </FormatProvider>
    </MantineProvider>
  )
}

function Entrance() {
  const [session, { enter, leave }] = useSession()
  const [link, setLink] = useState(() => linkIn(location))
  const [failure, setFailure] = useState(() => signInFailureIn(location.hash))
  useEffect(() => {
    if (failure) history.replaceState(null, '', location.pathname + location.search)
  }, [failure])
  // The secret is not kept in the history.
  useEffect(() => {
    if (link) history.replaceState(null, '', '/')
  }, [link])
  const leaveLink = () => setLink(undefined)
  const isConfirming = link?.purpose === 'email'
  if (isConfirming && session.phase === 'open') {
    return (
      <Suspense>
        <ConfirmEmail user={session.user.user} secret={link.secret} onDone={leaveLink} />
      </Suspense>
    )
  }
  if (link?.purpose === 'password' && session.phase === 'signedOut') {
    const enterByCookie = () => {
      leaveLink()
      // Without a session, because a code is needed, the form for signing in stays.
      void connect()
        .me()
        .then(enter, () => undefined)
    }
    return (
      <Suspense>
        <LinkPage secret={link.secret} onDone={enterByCookie} />
      </Suspense>
    )
  }
  if (link && session.phase === 'open') {
    return (
      <Suspense>
        <OtherUsersLink email={session.user.email} onLeave={leaveLink} />
      </Suspense>
    )
  }
  switch (session.phase) {
    case 'starting':
      return null
    case 'signedOut':
      return (
        <Suspense>
          <SignIn
            isOffline={session.isOffline}
            failure={failure}
            isConfirming={isConfirming}
            providerSignOutUrl={session.providerSignOutUrl}
            onSignedIn={enter}
          />
        </Suspense>
      )
    case 'failed':
      return <Failed error={session.error} />
    case 'open':
      return (
        <Suspense>
          <SignedInApp
            saldo={session.saldo}
            signedIn={{ user: session.user, leave }}
            failure={failure}
            onFailureRead={() => setFailure(undefined)}
          />
        </Suspense>
      )
  }
}
