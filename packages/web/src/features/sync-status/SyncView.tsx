import { Text } from '@mantine/core'
import type { Status } from '@saldo/client'
import { useTranslation } from 'react-i18next'
import { useSaldo } from '../../context/saldo.tsx'
import { useLive } from '../../context/useLive.ts'
import { ErrorBoundary } from '../../ui/feedback/ErrorBoundary.tsx'
import { ViewHeader } from '../../ui/ViewHeader.tsx'
import { ConflictList } from './conflicts/ConflictList.tsx'
import { LostClosings } from './LostClosings.tsx'
import { RejectedChangeList } from './rejected-changes/RejectedChangeList.tsx'
import { SyncDetails } from './SyncDetails.tsx'
import classes from './SyncView.module.css'
import { StorageSection } from './storage/StorageSection.tsx'
import { WaitingList } from './WaitingList.tsx'

/** Where everything that was entered is, and what did not get through. */
export default function SyncView() {
  const { t } = useTranslation()
  const saldo = useSaldo()
  const status = useLive(saldo.status)
  return (
    <div className={classes.view}>
      <ViewHeader title={t('sync.title')} />
      {status && <Body status={status} />}
    </div>
  )
}

function Body({ status }: { status: Status }) {
  const { t } = useTranslation()
  const isCalm = [status.unsent, status.rejected, status.conflicts].every((count) => count === 0)
  return (
    <>
      <SyncDetails status={status} />
      {status.storeError === null && (
        <ErrorBoundary>
          <LostClosings />
          <RejectedChangeList />
          <ConflictList />
          <WaitingList />
          {isCalm && <Text c="dimmed">{t('sync.nothing')}</Text>}
        </ErrorBoundary>
      )}
      <StorageSection />
    </>
  )
}
