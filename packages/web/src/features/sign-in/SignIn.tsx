import { Anchor, Button, Stack, Text } from '@mantine/core'
import { connect, passkeySignIn } from '@saldo/client'
import { DEMO } from '@saldo/core'
import { lazy, Suspense, useState } from 'react'
import type { RememberedUser } from '../../context/remembered-user.ts'
import { CompanyButtons, SignInFailureText } from '../../domain/session/CompanyButtons.tsx'
import { PasskeyButton } from '../../domain/session/passkeys/PasskeyButton.tsx'
import { useServiceFacts } from '../../domain/session/session-hooks.ts'
import type { SignInFailure } from '../../domain/session/sign-in-model.ts'
import { useTranslation } from '../../i18n/translation.ts'
import { Logo } from '../../ui/Logo.tsx'
import { ProblemText } from '../../ui/Notice.tsx'
import { ViewTitle } from '../../ui/ViewHeader.tsx'
import { CredentialsForm } from './CredentialsForm.tsx'
import classes from './SignIn.module.css'
import { setupCodeIn } from './sign-in-model.ts'
import { useCredentials } from './useCredentials.ts'

/** Signs in to the account that all visitors of a demo share. */
function DemoEntry({ onSignedIn }: { onSignedIn: (user: RememberedUser) => Promise<void> }) {
  const { t } = useTranslation()
  const { isBusy, failure, submit } = useCredentials(false, false, onSignedIn)
  return (
    <Stack>
      <Text>{t('signIn.demo.lead')}</Text>
      {failure && <ProblemText>{failure}</ProblemText>}
      <Button size="md" loading={isBusy} onClick={() => void submit({ ...DEMO, name: '' })}>
        {t('signIn.demo.enter')}
      </Button>
    </Stack>
  )
}

const ForgottenPassword = lazy(() => import('./ForgottenPassword.tsx'))

interface Props {
  isOffline: boolean
  /** The reason why the company's sign-in has just let nobody in. */
  failure?: SignInFailure | undefined
  /** True if a link waits that confirms an address, which only the account that asked for it can open. */
  isConfirming?: boolean
  /** The address where the company's sign-in ends its session, after the user has signed out here. */
  providerSignOutUrl?: string | undefined
  onSignedIn: (user: RememberedUser) => Promise<void>
}

/** Signs in, or signs up if the service allows it; the first user needs the set-up code that the service printed. */
export default function SignIn({ isOffline, failure, isConfirming, providerSignOutUrl, onSignedIn }: Props) {
  const { t } = useTranslation()
  const [setupCode] = useState(() => setupCodeIn(location.hash))
  const facts = useServiceFacts()
  const signup = facts?.signup
  const { password: hasPasswords = true, providers = [] } = facts?.sign_in ?? {}
  const isFirst = signup === 'first_user'
  const [choice, setChoice] = useState<boolean>()
  const isNew = signup !== 'closed' && (choice ?? (isFirst || setupCode !== undefined))
  const [isForgotten, setForgotten] = useState(false)
  const enter = async (user: RememberedUser) => {
    history.replaceState(null, '', location.pathname)
    await onSignedIn(user)
  }
  const enterWithPasskey = async (credential: object) => {
    await passkeySignIn().signIn(credential)
    await enter(await connect().me())
  }
  const title = facts?.demo
    ? 'signIn.demo.title'
    : isForgotten
      ? 'signIn.forgotten.title'
      : isNew
        ? 'signIn.titleNew'
        : 'signIn.title'
  const lead = isForgotten ? 'signIn.forgotten.lead' : isConfirming ? 'signIn.confirmEmail.signIn' : 'signIn.lead'
  return (
    <main className={classes.page}>
      <div className={classes.card}>
        <Logo />
        <div>
          <ViewTitle className={classes.title}>{t(title)}</ViewTitle>
          <Text c="dimmed">{t(lead)}</Text>
        </div>
        {isOffline && (
          <Text role="alert" className={classes.offline}>
            {t('signIn.offline')}
          </Text>
        )}
        {failure && <SignInFailureText failure={failure} />}
        {providerSignOutUrl !== undefined && (
          <Text size="sm">
            {t('signIn.company.signedOut')} <Anchor href={providerSignOutUrl}>{t('signIn.company.signOut')}</Anchor>
          </Text>
        )}
        {isForgotten ? (
          <Suspense>
            <ForgottenPassword onBack={() => setForgotten(false)} />
          </Suspense>
        ) : facts?.demo ? (
          <DemoEntry onSignedIn={enter} />
        ) : (
          <>
            {hasPasswords && (
              <CredentialsForm
                key={String(choice)}
                isNew={isNew}
                isFirst={isFirst}
                setupCode={setupCode}
                onSignedIn={enter}
              />
            )}
            {hasPasswords && !isNew && facts?.mail && (
              <Anchor component="button" type="button" size="sm" ta="start" onClick={() => setForgotten(true)}>
                {t('signIn.forgotten.ask')}
              </Anchor>
            )}
            {hasPasswords && !isNew && (
              <PasskeyButton action={t('ui.passkey.signIn')} size="md" act={enterWithPasskey} />
            )}
            {!isFirst && <CompanyButtons providers={providers} size="md" />}
            {signup !== undefined && signup !== 'closed' && (
              <Text size="sm">
                {isNew ? t('signIn.haveAccount') : t('signIn.noAccount')}{' '}
                <Anchor component="button" type="button" size="sm" fw={600} onClick={() => setChoice(!isNew)}>
                  {isNew ? t('signIn.toSignIn') : t('signIn.toSignUp')}
                </Anchor>
              </Text>
            )}
          </>
        )}
      </div>
    </main>
  )
}
