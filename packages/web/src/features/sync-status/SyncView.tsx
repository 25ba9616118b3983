import { Text, Title } from '@mantine/core'
import { useLive, useSaldo, useSyncStatus } from '@saldo/client/react'
import { MINUTE_MS } from '@saldo/core'
import { useMemo } from 'react'
import { useDeviceNow } from '../../context/clock.ts'
import { useFormat } from '../../context/FormatProvider.tsx'
import { LostClosingsNotice } from '../../domain/account/lost-closings/LostClosingsNotice.tsx'
import { useTranslation } from '../../i18n/translation.ts'
import { ErrorBoundary } from '../../ui/feedback/ErrorBoundary.tsx'
import { ViewHeader } from '../../ui/ViewHeader.tsx'
import { ChangeLine } from './ChangeLine.tsx'
import { Conflicts } from './conflicts/Conflicts.tsx'
import { RejectedChanges } from './rejected-changes/RejectedChanges.tsx'
import { SyncDetails } from './SyncDetails.tsx'
import classes from './SyncView.module.css'
import { StorageSection } from './storage/StorageSection.tsx'
import { isEverythingSaved } from './sync-status-model.ts'

const MAX_SHOWN = 100

/** Lists the unsent changes in the order in which they are sent. */
function OutboxList() {
  const { t } = useTranslation()
  const saldo = useSaldo()
  const format = useFormat()
  const nowMs = useDeviceNow(MINUTE_MS)
  const rows = useLive(useMemo(() => saldo.outbox.list(), [saldo]))
  if (!rows || rows.length === 0) return null
  const more = rows.length - MAX_SHOWN
  return (
    <section className={classes.section} aria-labelledby="sync-outbox">
      <Title order={2} id="sync-outbox">
        {t('sync.outbox.title')}
      </Title>
      <Text c="dimmed">{t('sync.outbox.lead')}</Text>
      <ul className={classes.list}>
        {rows.slice(0, MAX_SHOWN).map((row) => (
          <li key={`${row.kind} ${row.id}`} className={classes.row}>
            <ChangeLine change={row} />
            <span className={classes.when}>
              {t('sync.outbox.since', { age: format.age(Math.max(0, nowMs - row.queuedAtMs)) })}
            </span>
          </li>
        ))}
      </ul>
      {more > 0 && <Text c="dimmed">{t('sync.outbox.more', { count: more })}</Text>}
    </section>
  )
}

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
