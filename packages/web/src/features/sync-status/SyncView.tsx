import { Text } from '@mantine/core'
import { useSyncStatus } from '@saldo/client/react'
import { useTranslation } from 'react-i18next'
import { LostClosingsNotice } from '../../domain/account/lost-closings/LostClosingsNotice.tsx'
import { ErrorBoundary } from '../../ui/feedback/ErrorBoundary.tsx'
import { ViewHeader } from '../../ui/ViewHeader.tsx'
import { Conflicts } from './conflicts/Conflicts.tsx'
import { OutboxList } from './OutboxList.tsx'
import { RejectedChanges } from './rejected-changes/RejectedChanges.tsx'
import { SyncDetails } from './SyncDetails.tsx'
import classes from './SyncView.module.css'
import { StorageSection } from './storage/StorageSection.tsx'
import { isEverythingSaved } from './sync-status-model.ts'

/** Shows the state of sync and every change that the service does not have. */
export default function SyncView() {
  const { t } = useTranslation()
  const status = useSyncStatus()
  return (
    <div className={classes.view}>
      <ViewHeader title={t('sync.title')} />
      {status && <SyncDetails status={status} />}
      {status?.storeError === null && (
        <ErrorBoundary>
          <LostClosingsNotice />
          <RejectedChanges />
          <Conflicts />
          <OutboxList />
          {isEverythingSaved(status) && <Text c="dimmed">{t('sync.nothing')}</Text>}
        </ErrorBoundary>
      )}
      {status && <StorageSection />}
    </div>
  )
}
