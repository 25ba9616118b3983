import { Anchor, Text } from '@mantine/core'
import { connect, passkeySignIn, type ServiceFacts } from '@saldo/client'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { RememberedUser } from '../../context/remembered-user.ts'
import { PasskeyButton } from '../../domain/session/passkeys/PasskeyButton.tsx'
import { Logo } from '../../ui/Logo.tsx'
import { ViewTitle } from '../../ui/ViewHeader.tsx'
import { CredentialsForm } from './CredentialsForm.tsx'
import classes from './SignIn.module.css'
import { setupCodeIn } from './setup-code.ts'

interface Props {
  isOffline: boolean
  onSignedIn: (user: RememberedUser) => Promise<void>
}

/** Signs in, or signs up if the service allows it; the first user needs the set-up code that the service printed. */
export default function SignIn({ isOffline, onSignedIn }: Props) {
  const { t } = useTranslation()
  const [setupCode] = useState(() => setupCodeIn(location.hash))
  const [signup, setSignup] = useState<ServiceFacts['signup']>()
  const isFirst = signup === 'first_user'
  const [choice, setChoice] = useState<boolean>()
  const isNew = signup !== 'closed' && (choice ?? (isFirst || setupCode !== undefined))
  useEffect(() => {
    // A service that cannot be reached is reported when the user tries to sign in.
    void connect()
      .service()
      .then(
        (service) => setSignup(service.signup),
        () => undefined,
      )
  }, [])
  const enter = async (user: RememberedUser) => {
    history.replaceState(null, '', location.pathname)
    await onSignedIn(user)
  }
  const enterWithPasskey = async (credential: object) => {
    await passkeySignIn().signIn(credential)
    await enter(await connect().me())
  }
  return (
    <main className={classes.page}>
      <div className={classes.card}>
        <Logo />
        <div>
          <ViewTitle className={classes.title}>{isNew ? t('signIn.titleNew') : t('signIn.title')}</ViewTitle>
          <Text c="dimmed">{t('signIn.lead')}</Text>
        </div>
        {isOffline && (
          <Text role="alert" className={classes.offline}>
            {t('signIn.offline')}
          </Text>
        )}
        <CredentialsForm
          key={String(choice)}
          isNew={isNew}
          isFirst={isFirst}
          setupCode={setupCode}
          onSignedIn={enter}
        />
        {!isNew && <PasskeyButton action={t('ui.passkey.signIn')} size="md" act={enterWithPasskey} />}
        {signup !== undefined && signup !== 'closed' && (
          <Text size="sm">
            {isNew ? t('signIn.haveAccount') : t('signIn.noAccount')}{' '}
            <Anchor component="button" type="button" size="sm" fw={600} onClick={() => setChoice(!isNew)}>
              {isNew ? t('signIn.toSignIn') : t('signIn.toSignUp')}
            </Anchor>
          </Text>
        )}
      </div>
    </main>
  )
}
