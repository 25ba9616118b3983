import { Text } from '@mantine/core'
import type { TableColumns } from '@saldo/client/import'
import { useFormat } from '../../../context/FormatProvider.tsx'
import { useTranslation } from '../../../i18n/translation.ts'
import classes from './UsedColumns.module.css'

/** Says what the columns of a table were taken for, and which ones nothing was read from. */
export function UsedColumns({ columns: { used, unused } }: { columns: TableColumns }) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <section className={classes.columns}>
      <Text size="sm">
        {t('importExport.columns.used')}{' '}
        {format.list(
          used.map(({ field, name, unit }) => {
            const as = t(`importExport.columns.${field}`)
            const inUnit = unit === undefined ? as : `${as}, ${t(`importExport.columns.unit.${unit}`)}`
            return t('importExport.columns.usedAs', { name, as: inUnit })
          }),
        )}
      </Text>
      {unused.length > 0 && (
        <Text size="sm" c="dimmed">
          {t('importExport.columns.unused')} {format.list([...unused])}
        </Text>
      )}
    </section>
  )
}
