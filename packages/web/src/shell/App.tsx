import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { FormatProvider } from '../context/FormatProvider.tsx'
import { SaldoProvider } from '../context/saldo.tsx'
import { SignedInProvider } from '../context/session.tsx'
import { ErrorBoundary } from '../ui/feedback/ErrorBoundary.tsx'
import { Failed } from '../ui/feedback/Failed.tsx'
import { cssVariablesResolver, theme } from '../ui/theme.ts'
import { Messages } from './Messages.tsx'
import { Shell } from './Shell.tsx'
import { useSession } from './session/useSession.ts'

const SignIn = lazy(() => import('../features/sign-in/SignIn.tsx'))

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
  switch (session.phase) {
    case 'starting':
      return null
    case 'signedOut':
      return (
        <Suspense>
          <SignIn isOffline={session.isOffline} onSignedIn={enter} />
        </Suspense>
      )
    case 'failed':
      return <Failed error={session.error} />
    case 'open':
      return (
        <SaldoProvider saldo={session.saldo}>
          <SignedInProvider signedIn={{ user: session.user, leave }}>
            <Shell />
          </SignedInProvider>
        </SaldoProvider>
      )
  }
}
