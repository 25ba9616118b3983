import { Code, Skeleton, Text } from '@mantine/core'
import type { AuthenticatorKey } from '@saldo/core'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from '../../../i18n/translation.ts'
import { CodeField } from '../../../ui/CredentialFields.tsx'
import { useAttempt } from '../../../ui/feedback/useAttempt.ts'
import { StepForm } from '../../../ui/StepForm.tsx'
import classes from './SecondFactorSection.module.css'

const QrCode = lazy(() => import('./QrCode.tsx'))

interface Props {
  made: AuthenticatorKey
  confirm: (code: string) => Promise<unknown>
  onCancel: () => void
}

/** The key on its way into an authenticator app, by camera or by hand, and the first code back. */
export function Enrolment({ made, confirm, onCancel }: Props) {
  const { t } = useTranslation()
  const [code, setCode] = useState('')
  const { isBusy, failure, attempt } = useAttempt({
    forbidden: 'settings.secondFactor.wrongCode',
    conflict: 'settings.secondFactor.expired',
  })
  return (
    <StepForm
      action={t('settings.secondFactor.confirm')}
      isBusy={isBusy}
      onSend={() => void attempt(confirm(code))}
      onCancel={onCancel}
    >
      <Text>{t('settings.secondFactor.scan')}</Text>
      <Suspense fallback={<Skeleton width="12.5rem" height="12.5rem" />}>
        <QrCode text={made.uri} label={t('settings.secondFactor.qr')} />
      </Suspense>
      <Text size="sm">{t('settings.secondFactor.byHand')}</Text>
      <Code className={classes.key ?? ''}>{made.key.replaceAll(/.{4}(?=.)/g, '$& ')}</Code>
      <CodeField value={code} onChange={setCode} error={failure} />
    </StepForm>
  )
}
