import { Text } from '@mantine/core'
import type { ColumnMapping, TableHead } from '@saldo/client/import'
import { useTranslation } from '../../../i18n/translation.ts'
import { SearchSelect } from '../../../ui/SearchSelect.tsx'
import classes from './ColumnFields.module.css'
import { mapColumn, samplesOf } from './import-model.ts'

/** The fields that are asked for, in the order of their importance. */
const fields = [
  'date',
  'start',
  'end',
  'duration',
  'break',
  'endDate',
  'project',
  'client',
  'task',
  'note',
  'tags',
  'user',
] as const

interface Props {
  table: TableHead
  columns: ColumnMapping
  onChange: (columns: ColumnMapping) => void
}

/** Asks which column of a CSV holds what; below each field stand the first values of its column. */
export function ColumnFields({ table, columns, onChange }: Props) {
  const { t } = useTranslation()
  const data = [...new Set(table.header)].filter((name) => name !== '')
  return (
    <fieldset className={classes.fieldset}>
      <legend className={classes.legend}>{t('importExport.columns.title')}</legend>
      <Text size="sm" c="dimmed">
        {t('importExport.columns.lead')}
      </Text>
      <div className={classes.fields}>
        {fields.map((field) => (
          <SearchSelect
            key={field}
            label={t(`importExport.columns.${field}`)}
            placeholder={t('importExport.columns.none')}
            description={samplesOf(table, columns[field]).join(' · ') || undefined}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            data={data}
            value={columns[field] ?? null}
            onChange={(name) => onChange(mapColumn(columns, field, name))}
            clearable
            searchable={data.length > 8}
          />
        ))}
      </div>
    </fieldset>
  )
}
