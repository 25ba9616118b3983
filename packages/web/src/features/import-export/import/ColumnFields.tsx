import { Select, Text } from '@mantine/core'
import type { ColumnMapping, TableHead } from '@saldo/client/import'
import { useTranslation } from 'react-i18next'
import classes from './ColumnFields.module.css'

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
export function ColumnFields({ table: { header, samples }, columns, onChange }: Props) {
  const { t } = useTranslation()
  const data = [...new Set(header)].filter((name) => name !== '')
  const change = (field: (typeof fields)[number], name: string | null) => {
    // A column holds one thing.
    const others = Object.entries(columns).filter(([other, column]) => other !== field && column !== name)
    onChange(Object.fromEntries(name === null ? others : [...others, [field, name]]))
  }
  const sampleOf = (name: string | undefined) => {
    const place = name === undefined ? -1 : header.indexOf(name)
    const values = samples.map((cells) => cells[place]?.trim() ?? '').filter((value) => value !== '')
    return [...new Set(values)].slice(0, 3).join(' · ')
  }
  return (
    <fieldset className={classes.fieldset}>
      <legend className={classes.legend}>{t('importExport.columns.title')}</legend>
      <Text size="sm" c="dimmed">
        {t('importExport.columns.lead')}
      </Text>
      <div className={classes.fields}>
        {fields.map((field) => (
          <Select
            key={field}
            label={t(`importExport.columns.${field}`)}
            placeholder={t('importExport.columns.none')}
            description={sampleOf(columns[field]) || undefined}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            data={data}
            value={columns[field] ?? null}
            onChange={(name) => change(field, name)}
            clearable
            searchable={data.length > 8}
          />
        ))}
      </div>
    </fieldset>
  )
}
