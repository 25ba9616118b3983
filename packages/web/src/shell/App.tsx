import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { browserClock } from '../context/browser-clock.ts'
import { ClockProvider } from '../context/clock.tsx'
import { FormatProvider } from '../context/FormatProvider.tsx'
import { SaldoProvider } from '../context/saldo.tsx'
import { VisitorProvider } from '../context/session.tsx'
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
        <ClockProvider clock={browserClock}>
          <ErrorBoundary>
            <Entrance />
            <Messages />
          </ErrorBoundary>
        </ClockProvider>
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
          <VisitorProvider visitor={{ user: session.user, leave }}>
            <Shell />
          </VisitorProvider>
        </SaldoProvider>
      )
  }
}
