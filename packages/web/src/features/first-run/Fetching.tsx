import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Logo } from '../../ui/Logo.tsx'
import { SyncIndicator } from '../sync-status/SyncIndicator.tsx'
import classes from './FirstRun.module.css'

/** The first minute on a device: what the service has is on its way. */
export function Fetching() {
  const { t } = useTranslation()
  return (
    <main className={classes.waiting}>
      <Logo />
      <Text c="dimmed">{t('firstRun.fetching')}</Text>
      <SyncIndicator />
    </main>
  )
}
