import { Text, Title } from '@mantine/core'
import type { RejectedChange } from '@saldo/client'
import { lazy, Suspense, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSaldo } from '../../../context/saldo.tsx'
import { useLive } from '../../../context/useLive.ts'
import classes from '../SyncView.module.css'
import { RejectedChangeItem } from './RejectedChangeItem.tsx'

const EditRejectedChange = lazy(() => import('./EditRejectedChange.tsx'))

/** The changes that the service rejected, with the reasons and what can be done. */
export function RejectedChangeList() {
  const { t } = useTranslation()
  const saldo = useSaldo()
  const rejected = useLive(useMemo(() => saldo.rejectedChanges.list(), [saldo]))
  const [edited, setEdited] = useState<RejectedChange>()
  if (!rejected || rejected.length === 0) return null
  return (
    <section className={classes.section} aria-labelledby="sync-refused">
      <Title order={2} id="sync-refused">
        {t('sync.refused.title')}
      </Title>
      <Text c="dimmed">{t('sync.refused.lead')}</Text>
      <ul className={classes.list}>
        {rejected.map((row) => (
          <RejectedChangeItem
            key={`${row.change.kind} ${row.change.id} ${row.change.updatedAt}`}
            rejected={row}
            onEdit={() => setEdited(row)}
          />
        ))}
      </ul>
      {edited && (
        <Suspense>
          <EditRejectedChange rejected={edited} onClose={() => setEdited(undefined)} />
        </Suspense>
      )}
    </section>
  )
}
