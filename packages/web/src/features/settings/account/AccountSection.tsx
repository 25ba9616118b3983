import { Button, Text } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSignedIn } from '../../../context/session.tsx'
import { Section } from '../Section.tsx'

const SignOutDialog = lazy(() => import('../../../domain/session/SignOutDialog.tsx'))

export function AccountSection() {
  const { t } = useTranslation()
  const { user } = useSignedIn()
  const [isLeaving, setLeaving] = useState(false)
  return (
    <Section title={t('settings.account.title')}>
      <Text>{t('settings.account.as', { email: user.email })}</Text>
      <Button variant="default" onClick={() => setLeaving(true)}>
        {t('app.signOut.action')}
      </Button>
      {isLeaving && (
        <Suspense>
          <SignOutDialog onClose={() => setLeaving(false)} />
        </Suspense>
      )}
    </Section>
  )
}
