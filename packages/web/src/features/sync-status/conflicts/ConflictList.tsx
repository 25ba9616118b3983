import { Text, Title } from '@mantine/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useSaldo } from '../../../context/saldo.tsx'
import { useLive } from '../../../context/useLive.ts'
import classes from '../SyncView.module.css'
import { ConflictItem } from './ConflictItem.tsx'
import { keyOfConflict, useDismissing } from './useDismissing.tsx'

/** What another device overrode: mine and theirs beside each other, for 30 days. */
export function ConflictList() {
  const { t } = useTranslation()
  const saldo = useSaldo()
  const all = useLive(useMemo(() => saldo.conflicts.list(), [saldo]))
  const { isDismissed, dismiss } = useDismissing()
  const shown = (all ?? []).filter((row) => !isDismissed(row))
  if (shown.length === 0) return null
  return (
    <section className={classes.section} aria-labelledby="sync-overridden">
      <Title order={2} id="sync-overridden">
        {t('sync.overridden.title')}
      </Title>
      <Text c="dimmed">{t('sync.overridden.lead')}</Text>
      <ul className={classes.list}>
        {shown.map((row) => (
          <ConflictItem key={keyOfConflict(row)} conflict={row} onDismiss={() => dismiss(row)} />
        ))}
      </ul>
    </section>
  )
}
