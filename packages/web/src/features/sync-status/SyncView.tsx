import { Text } from '@mantine/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorBoundary } from '../../app/ErrorBoundary.tsx'
import { useSaldo } from '../../app/saldo.tsx'
import { useLive } from '../../ui/useLive.ts'
import { ViewHeader } from '../../ui/ViewHeader.tsx'
import { LostClosings } from './LostClosings.tsx'
import { OverriddenList } from './overridden/OverriddenList.tsx'
import { RefusedList } from './refused/RefusedList.tsx'
import { Standing } from './Standing.tsx'
import classes from './SyncView.module.css'
import { StorageSection } from './storage/StorageSection.tsx'
import { WaitingList } from './WaitingList.tsx'

/** Where everything that was entered is, and what did not get through. */
export default function SyncView() {
  const { t } = useTranslation()
  const saldo = useSaldo()
  const status = useLive(useMemo(() => saldo.status, [saldo]))
  if (!status) return null
  const isCalm = [status.pending, status.rejected, status.overridden].every((count) => count === 0)
  return (
    <div className={classes.view}>
      <ViewHeader title={t('sync.title')} />
      <Standing status={status} />
      {status.trouble === null && (
        <ErrorBoundary>
          <LostClosings />
          <RefusedList />
          <OverriddenList />
          <WaitingList />
          {isCalm && <Text c="dimmed">{t('sync.nothing')}</Text>}
        </ErrorBoundary>
      )}
      <StorageSection />
    </div>
  )
}
