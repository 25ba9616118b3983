import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Logo } from '../../ui/Logo.tsx'
import classes from './FirstRun.module.css'

/** The first minute on a device: what the service has is on its way. */
export function Fetching({ indicator }: { indicator: ReactNode }) {
  const { t } = useTranslation()
  return (
    <main className={classes.waiting}>
      <Logo />
      <Text c="dimmed">{t('firstRun.fetching')}</Text>
      {indicator}
    </main>
  )
}
