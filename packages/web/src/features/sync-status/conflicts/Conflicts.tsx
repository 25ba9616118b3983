import { Button, Text, Title } from '@mantine/core'
import type { Conflict } from '@saldo/client'
import { useLive, useSaldo } from '@saldo/client/react'
import { useMemo } from 'react'
import { useFormat } from '../../../context/FormatProvider.tsx'
import { RecordComparison } from '../../../domain/records/RecordComparison.tsx'
import { useRecordFields } from '../../../domain/records/useRecordFields.ts'
import { useTranslation } from '../../../i18n/translation.ts'
import { useAct } from '../../../ui/feedback/useAct.tsx'
import syncClasses from '../SyncView.module.css'
import { restoreTheirs } from '../sync-status-model.ts'

/** Lists the changes that lost against a later one, each beside what won. */
export function Conflicts() {
  const { t } = useTranslation()
  const saldo = useSaldo()
  const conflicts = useLive(useMemo(() => saldo.conflicts.list(), [saldo]))
  if (!conflicts || conflicts.length === 0) return null
  return (
    <section className={syncClasses.section} aria-labelledby="sync-conflicts">
      <Title order={2} id="sync-conflicts">
        {t('sync.conflicts.title')}
      </Title>
      <Text c="dimmed">{t('sync.conflicts.lead')}</Text>
      <ul className={syncClasses.list}>
        {conflicts.map((conflict) => (
          <ConflictItem key={`${conflict.mine.id} ${conflict.mine.updatedAt}`} conflict={conflict} />
        ))}
      </ul>
    </section>
  )
}

function ConflictItem({ conflict }: { conflict: Conflict }) {
  const { t } = useTranslation()
  const saldo = useSaldo()
  const { actWithUndo } = useAct()
  const format = useFormat()
  const fieldsOf = useRecordFields()
  const { mine, theirs, detectedAtMs } = conflict
  const nameOf = (name: string, content: object | null) =>
    content === null ? t('sync.conflicts.deleted', { name }) : name
  const isDeletion = mine.content === null
  const restoreMine = () =>
    actWithUndo(
      { make: () => saldo.conflicts.restoreMine(conflict), takeBack: () => restoreTheirs(saldo, conflict) },
      t(isDeletion ? 'sync.conflicts.deletedAgain' : 'sync.conflicts.restored'),
    )
  const dismiss = () =>
    actWithUndo(
      { make: () => saldo.conflicts.dismiss(conflict), takeBack: () => saldo.conflicts.undoDismiss(conflict) },
      t('sync.conflicts.dismissed'),
    )
  return (
    <li className={syncClasses.item}>
      <div className={syncClasses.head}>
        <span className={syncClasses.what}>
          <span className={syncClasses.name}>{t(`sync.changeOf.${mine.kind}`)}</span>
        </span>
        <span className={syncClasses.when}>{format.dateTime(detectedAtMs)}</span>
      </div>
      <RecordComparison
        first={{ title: nameOf(t('sync.conflicts.mine'), mine.content), fields: fieldsOf(mine.kind, mine.content) }}
        second={{
          title: nameOf(t('sync.conflicts.theirs'), theirs.record),
          fields: fieldsOf(mine.kind, theirs.record),
        }}
      />
      <div className={syncClasses.actions}>
        <Button size="compact-md" onClick={() => void restoreMine()}>
          {t(isDeletion ? 'sync.conflicts.deleteAgain' : 'sync.conflicts.restoreMine')}
        </Button>
        <Button size="compact-md" variant="default" onClick={() => void dismiss()}>
          {t('sync.conflicts.dismiss')}
        </Button>
      </div>
    </li>
  )
}
