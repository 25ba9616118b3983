import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { TranslationProvider } from '../i18n/TranslationProvider.tsx'
import { FormatProvider } from '../ui/format/FormatProvider.tsx'
import { cssVariablesResolver, theme } from '../ui/theme.ts'
import { browserClock } from './clock.ts'
import { ErrorBoundary } from './ErrorBoundary.tsx'
import { Failed } from './Failed.tsx'
import { Messages } from './Messages.tsx'
import { ClockProvider } from './now.tsx'
import { Shell } from './Shell.tsx'
import { SaldoProvider } from './saldo.tsx'
import { VisitorProvider } from './session/session-context.tsx'
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
      <TranslationProvider>
        <FormatProvider>
          <ClockProvider clock={browserClock}>
            <ErrorBoundary>
              <Entrance />
              <Messages />
            </ErrorBoundary>
          </ClockProvider>
        </FormatProvider>
      </TranslationProvider>
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
