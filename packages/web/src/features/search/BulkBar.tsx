import { Button } from '@mantine/core'
import type { Entry } from '@saldo/core'
import { lazy, Suspense, useState } from 'react'
import { useFormat } from '../../context/FormatProvider.tsx'
import { MANY_ENTRIES } from '../../domain/entries/entries-model.ts'
import type { Found } from '../../domain/entries/search.ts'
import { useEntryActions } from '../../domain/entries/useEntryActions.ts'
import { useTranslation } from '../../i18n/translation.ts'
import classes from './BulkBar.module.css'
import { type Bulk, bulkChanges, canChange } from './search-model.ts'

const DeletionDialog = lazy(() => import('../../domain/entries/DeletionDialog.tsx'))
const BulkDialog = lazy(() => import('./BulkDialog.tsx'))

interface Props {
  records: readonly Entry[]
  all: readonly Found[]
  onClear: () => void
}

/** Actions on all selected entries, each undone as a whole. */
export function BulkBar({ records, all, onClear }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const { make } = useEntryActions()
  const [asked, setAsked] = useState<Bulk['op']>()
  const count = records.length
  const number = format.number(count)
  const run = (bulk: Bulk) => {
    setAsked(undefined)
    const changes = bulkChanges(records, bulk)
    const values = { count: changes.length, number: format.number(changes.length) }
    if (changes.length > 0) {
      void make(changes, t(bulk.op === 'delete' ? 'search.bulk.deleted' : 'search.bulk.changed', values))
    }
  }
  const remove = () => (count > MANY_ENTRIES ? setAsked('delete') : run({ op: 'delete' }))
  const close = () => setAsked(undefined)
  return (
    <section className={classes.bar} aria-label={t('search.bulk.title')}>
      <span className={classes.count} role="status">
        {t('search.bulk.selected', { count, number })}
      </span>
      <Button size="compact-md" variant="subtle" color="gray" className={classes.clear ?? ''} onClick={onClear}>
        {t('search.bulk.clear')}
      </Button>
      {(['project', 'addTag', 'removeTag'] as const).map((op) => (
        <Button
          key={op}
          size="compact-md"
          variant="default"
          disabled={!canChange(records, op)}
          onClick={() => setAsked(op)}
        >
          {t(`search.bulk.${op}`)}
        </Button>
      ))}
      <Button size="compact-md" variant="default" c="var(--saldo-error-text)" onClick={remove}>
        {t('ui.delete')}
      </Button>
      {asked && (
        <Suspense>
          {asked === 'delete' ? (
            <DeletionDialog count={count} onDelete={() => run({ op: 'delete' })} onClose={close} />
          ) : (
            <BulkDialog op={asked} records={records} all={all} onRun={run} onClose={close} />
          )}
        </Suspense>
      )}
    </section>
  )
}
