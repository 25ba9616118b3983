import { Text } from '@mantine/core'
import { useLive, useSaldo, useSyncStatus } from '@saldo/client/react'
import { lazy, type ReactNode, Suspense, useMemo } from 'react'
import { useLocation } from 'wouter'
import { TimelineProvider } from '../../domain/account/TimelineProvider.tsx'
import { useChangePreferences } from '../../domain/profile/useProfile.ts'
import { useTeam } from '../../domain/team/TeamProvider.tsx'
import { useSkippedFirstRun } from '../../domain/work-hours/skipped-first-run.ts'
import { withStrings } from '../../i18n/i18n.ts'
import { useTranslation } from '../../i18n/translation.ts'
import { Logo } from '../../ui/Logo.tsx'
import classes from './FirstRun.module.css'

const FirstRun = lazy(() => import('./FirstRun.tsx'))
const FirstRunOfMember = lazy(withStrings(() => import('./FirstRunOfMember.tsx')))

interface Props {
  /** Shows the state of sync. */
  indicator: ReactNode
  children: ReactNode
}

/** Views that have nothing to do with the user's own time. */
const SERVICE_VIEWS = ['/accounts', '/settings', '/team/company']

/** Asks new users for their working hours first. A user is new if the service has no settings either. */
export function FirstRunGate({ indicator, children }: Props) {
  const { t } = useTranslation()
  const saldo = useSaldo()
  const rows = useLive(useMemo(() => saldo.settings.all(), [saldo]))
  const settings = useMemo(() => rows?.map(({ record }) => record), [rows])
  const status = useSyncStatus()
  const isSkipped = useSkippedFirstRun(saldo.user)
  const change = useChangePreferences()
  const [path] = useLocation()
  const { team, isKnown } = useTeam()
  if (!settings || !status) return null
  const isAboutService = SERVICE_VIEWS.some((view) => path.startsWith(view))
  if (settings.length > 0 || isSkipped || isAboutService)
    return <TimelineProvider settings={settings}>{children}</TimelineProvider>
  if (status.lastSuccessMs === null || !isKnown) {
    return (
      <main className={classes.waiting}>
        <Logo />
        <Text c="dimmed">{t('firstRun.fetching')}</Text>
        {indicator}
      </main>
    )
  }
  const skip = () => change({ first_run: 'skipped' })
  return <Suspense>{team ? <FirstRunOfMember onSkip={skip} /> : <FirstRun onSkip={skip} />}</Suspense>
}
