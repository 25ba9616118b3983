import { Text, Title } from '@mantine/core'
import type { RejectedChange } from '@saldo/client'
import { lazy, Suspense, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSaldo } from '../../../context/saldo.tsx'
import { useLive } from '../../../context/useLive.ts'
import classes from '../SyncView.module.css'
import { RefusedItem } from './RefusedItem.tsx'

const EditRefused = lazy(() => import('./EditRefused.tsx'))

/** What the service refused, why, and what can be done about it. */
export function RefusedList() {
  const { t } = useTranslation()
  const saldo = useSaldo()
  const refused = useLive(useMemo(() => saldo.rejectedChanges.list(), [saldo]))
  const [edited, setEdited] = useState<RejectedChange>()
  if (!refused || refused.length === 0) return null
  return (
    <section className={classes.section} aria-labelledby="sync-refused">
      <Title order={2} id="sync-refused">
        {t('sync.refused.title')}
      </Title>
      <Text c="dimmed">{t('sync.refused.lead')}</Text>
      <ul className={classes.list}>
        {refused.map((row) => (
          <RefusedItem
            key={`${row.change.kind} ${row.change.id} ${row.change.updatedAt}`}
            refused={row}
            onEdit={() => setEdited(row)}
          />
        ))}
      </ul>
      {edited && (
        <Suspense>
          <EditRefused refused={edited} onClose={() => setEdited(undefined)} />
        </Suspense>
      )}
    </section>
  )
}
