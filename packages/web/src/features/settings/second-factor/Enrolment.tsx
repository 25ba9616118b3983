import { Button, Code, Group, Skeleton, Stack, Text } from '@mantine/core'
import type { NewKey } from '@saldo/client'
import { type FormEvent, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CodeField } from '../../../ui/CodeField.tsx'
import { later } from '../../../ui/later.tsx'
import { useAttempt } from '../useAttempt.ts'
import classes from './SecondFactorSection.module.css'

const { Component: QrCode } = later(() => import('./QrCode.tsx'))

interface Props {
  made: NewKey
  confirm: (code: string) => Promise<unknown>
  onCancel: () => void
}

/** The key on its way into an authenticator app, by camera or by hand, and the first code back. */
export function Enrolment({ made, confirm, onCancel }: Props) {
  const { t } = useTranslation()
  const [code, setCode] = useState('')
  const { isBusy, failure, attempt } = useAttempt({ forbidden: 'settings.secondFactor.wrongCode' })
  const send = (event: FormEvent) => {
    event.preventDefault()
    void attempt(confirm(code))
  }
  return (
    <form onSubmit={send}>
      <Stack maw="24rem">
        <Text>{t('settings.secondFactor.scan')}</Text>
        <Suspense fallback={<Skeleton width="12.5rem" height="12.5rem" />}>
          <QrCode text={made.uri} label={t('settings.secondFactor.qr')} />
        </Suspense>
        <Text size="sm">{t('settings.secondFactor.byHand')}</Text>
        <Code className={classes.key ?? ''}>{made.key.replaceAll(/.{4}(?=.)/g, '$& ')}</Code>
        <CodeField value={code} onChange={setCode} error={failure} />
        <Group>
          <Button type="submit" variant="default" loading={isBusy}>
            {t('settings.secondFactor.confirm')}
          </Button>
          <Button variant="subtle" color="gray" onClick={onCancel}>
            {t('ui.cancel')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
