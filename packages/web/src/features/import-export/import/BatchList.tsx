import { type Batch, listBatches } from '@saldo/client/import'
import { useEntries } from '@saldo/client/react'
import { useMemo } from 'react'
import { useFormat } from '../../../context/FormatProvider.tsx'
import { useTranslation } from '../../../i18n/translation.ts'
import { ConfirmButton } from '../../../ui/ConfirmButton.tsx'
import { RowName } from '../../../ui/RowName.tsx'
import rows from '../../../ui/rows.module.css'
import { ImportExportPart } from '../Part.tsx'
import { useUndoImport } from './useUndoImport.ts'

/** Lists earlier imports, each of which can be undone. */
export function BatchList() {
  const { t } = useTranslation()
  const entries = useEntries()
  const batches = useMemo(() => entries && listBatches(entries.map(({ record }) => record)), [entries])
  if (!batches || batches.length === 0) return null
  return (
    <ImportExportPart title={t('importExport.batches.title')} lead={t('importExport.batches.lead')}>
      <ul className={rows.list}>
        {batches.map((batch) => (
          <BatchRow key={batch.batch} batch={batch} />
        ))}
      </ul>
    </ImportExportPart>
  )
}

function BatchRow({ batch: { batch, format: name, entries, first, last, importedAt } }: { batch: Batch }) {
  const { t } = useTranslation()
  const format = useFormat()
  const undo = useUndoImport()
  const shown = format.number(entries)
  const title = `${t(`importExport.format.${name}`)}, ${t('importExport.entries', { count: entries, shown })}`
  const when = t('importExport.batches.when', { when: format.dateTime(Date.parse(importedAt)) })
  return (
    <li className={rows.row}>
      <RowName name={title} details={`${format.dateRange({ from: first, to: last })} · ${when}`} />
      <ConfirmButton
        label={t('importExport.undo.action')}
        of={title}
        question={t('importExport.undo.question', { count: entries, shown })}
        onConfirm={() => undo(batch)}
      />
    </li>
  )
}
