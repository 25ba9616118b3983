import { Button, Group, Text } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { useSignedIn } from '../../../context/session.tsx'
import { useTranslation } from '../../../i18n/translation.ts'
import { Section } from '../Section.tsx'

const ChangeEmail = lazy(() => import('./ChangeEmail.tsx'))
const UnconfirmedEmail = lazy(() => import('./UnconfirmedEmail.tsx'))
const SignOutDialog = lazy(() => import('../../../domain/session/SignOutDialog.tsx'))

export function SignInSection() {
  const { t } = useTranslation()
  const { user } = useSignedIn()
  const [asked, setAsked] = useState<'email' | 'sign-out'>()
  const [message, setMessage] = useState('')
  const close = () => setAsked(undefined)
  return (
    <Section id="account" title={t('settings.account.title')}>
      <Text>{t('settings.account.as', { email: user.email })}</Text>
      <Suspense>
        <UnconfirmedEmail key={user.email} email={user.email} />
      </Suspense>
      <Text role="status">{message}</Text>
      <Group gap="sm">
        <Button variant="default" onClick={() => setAsked('email')}>
          {t('settings.account.changeEmail')}
        </Button>
        <Button variant="default" onClick={() => setAsked('sign-out')}>
          {t('app.signOut.action')}
        </Button>
      </Group>
      <Suspense>
        {asked === 'sign-out' && <SignOutDialog onClose={close} />}
        {asked === 'email' && (
          <ChangeEmail
            onDone={(text) => {
              setMessage(text)
              close()
            }}
            onClose={close}
          />
        )}
      </Suspense>
    </Section>
  )
}
