import { Text } from '@mantine/core'
import { useLive, useSaldo, useSyncStatus } from '@saldo/client/react'
import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { TimelineProvider } from '../../domain/account/TimelineProvider.tsx'
import { hasSkipped, rememberSkip } from '../../domain/work-hours/skipped-first-run.ts'
import { Logo } from '../../ui/Logo.tsx'
import classes from './FirstRun.module.css'

const FirstRun = lazy(() => import('./FirstRun.tsx'))

interface Props {
  /** Shows the state of sync. */
  indicator: ReactNode
  children: ReactNode
}

/** Asks new users for their working hours first. A user is new if the service has no settings either. */
export function FirstRunGate({ indicator, children }: Props) {
  const { t } = useTranslation()
  const saldo = useSaldo()
  const rows = useLive(useMemo(() => saldo.settings.all(), [saldo]))
  const settings = useMemo(() => rows?.map(({ record }) => record), [rows])
  const status = useSyncStatus()
  const [isSkipped, setSkipped] = useState(() => hasSkipped(saldo.user))
  if (!settings || !status) return null
  if (settings.length > 0 || isSkipped) return <TimelineProvider settings={settings}>{children}</TimelineProvider>
  if (status.lastSuccessMs === null) {
    return (
      <main className={classes.waiting}>
        <Logo />
        <Text c="dimmed">{t('firstRun.fetching')}</Text>
        {indicator}
      </main>
    )
  }
  const skip = () => {
    rememberSkip(saldo.user)
    setSkipped(true)
  }
  return (
    <Suspense>
      <FirstRun onSkip={skip} />
    </Suspense>
  )
}
