import { Anchor, Text, Title } from '@mantine/core'
import { connect } from '@saldo/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { RememberedUser } from '../../context/remembered-user.ts'
import { PasskeyButton } from '../../domain/session/passkeys/PasskeyButton.tsx'
import { Logo } from '../../ui/Logo.tsx'
import { CredentialsForm } from './CredentialsForm.tsx'
import classes from './SignIn.module.css'
import { setupCodeIn } from './setup-code.ts'
import { useSignup } from './useSignup.ts'

interface Props {
  isOffline: boolean
  onSignedIn: (user: RememberedUser) => Promise<void>
}

/** The door: sign in; or sign up, where the service lets people, the first with the set-up code that it printed. */
export default function SignIn({ isOffline, onSignedIn }: Props) {
  const { t } = useTranslation()
  const [setupCode] = useState(() => setupCodeIn(location.hash))
  const signup = useSignup()
  const isFirst = signup === 'first_user'
  const [chosen, setNew] = useState<boolean>()
  const isNew = signup !== 'closed' && (chosen ?? (isFirst || setupCode !== undefined))
  const enter = async (user: RememberedUser) => {
    history.replaceState(null, '', location.pathname)
    await onSignedIn(user)
  }
  return (
    <main className={classes.page}>
      <div className={classes.door}>
        <Logo />
        <div>
          <Title order={1} className={classes.title}>
            {isNew ? t('signIn.titleNew') : t('signIn.title')}
          </Title>
          <Text c="dimmed">{t('signIn.lead')}</Text>
        </div>
        {isOffline && (
          <Text role="alert" className={classes.offline}>
            {t('signIn.offline')}
          </Text>
        )}
        <CredentialsForm
          key={String(chosen)}
          isNew={isNew}
          isFirst={isFirst}
          setupCode={setupCode}
          onSignedIn={enter}
        />
        {!isNew && <PasskeyButton size="md" onSignedIn={async () => enter(await connect().me())} />}
        {signup !== undefined && signup !== 'closed' && (
          <Text size="sm">
            {isNew ? t('signIn.haveAccount') : t('signIn.noAccount')}{' '}
            <Anchor component="button" type="button" size="sm" fw={600} onClick={() => setNew(!isNew)}>
              {isNew ? t('signIn.toSignIn') : t('signIn.toSignUp')}
            </Anchor>
          </Text>
        )}
      </div>
    </main>
  )
}
