import { Button, Group, Select, Stack } from '@mantine/core'
import type { ExportTableName } from '@saldo/client/export'
import { useState } from 'react'
import { useToday } from '../../../domain/account/TimelineProvider.tsx'
import { useTranslation } from '../../../i18n/translation.ts'
import { DateInput } from '../../../ui/DateInput.tsx'
import { useAct } from '../../../ui/feedback/useAct.tsx'
import { useBusy } from '../../../ui/feedback/useAttempt.ts'
import { ImportExportPart } from '../Part.tsx'
import { exportedRange, type OtherRange, type RangeName, rangeNames } from './export-range.ts'
import { type OfferedFormat, offeredFormats, useExport } from './useExport.ts'

const tables = ['entries', 'days', 'weeks', 'ledger'] as const satisfies readonly ExportTableName[]

/** Exports the account, or a range of it, as a file. */
export function ExportForm() {
  const { t } = useTranslation()
  const { act } = useAct()
  const today = useToday()
  const save = useExport()
  const [format, setFormat] = useState<OfferedFormat>('xlsx')
  const [table, setTable] = useState<ExportTableName>('entries')
  const [rangeName, setRangeName] = useState<RangeName>('all')
  const [other, setOther] = useState<OtherRange>({ from: '', to: '' })
  const { isBusy, run } = useBusy()
  const start = () => run(() => act(save({ format, table, range: exportedRange(rangeName, today, other) })))
  return (
    <ImportExportPart title={t('importExport.export.title')} lead={t('importExport.export.lead')}>
      <Stack w="100%" maw="30rem">
        <Select
          label={t('importExport.formatLabel')}
          description={t(`importExport.export.about.${format}`)}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          data={offeredFormats.map((value) => ({ value, label: t(`importExport.export.format.${value}`) }))}
          value={format}
          allowDeselect={false}
          onChange={(chosen) => setFormat(chosen as OfferedFormat)}
        />
        {format === 'csv' && (
          <Select
            label={t('importExport.export.tableLabel')}
            data={tables.map((value) => ({ value, label: t(`importExport.export.table.${value}`) }))}
            value={table}
            allowDeselect={false}
            onChange={(chosen) => setTable(chosen as ExportTableName)}
          />
        )}
        {format !== 'json' && (
          <Select
            label={t('importExport.export.rangeLabel')}
            data={rangeNames.map((value) => ({ value, label: t(`importExport.export.range.${value}`) }))}
            value={rangeName}
            allowDeselect={false}
            onChange={(chosen) => setRangeName(chosen as RangeName)}
          />
        )}
        {format !== 'json' && rangeName === 'other' && (
          <Group grow align="flex-start">
            <DateInput
              label={t('importExport.export.from')}
              {...(other.to !== '' && { max: other.to })}
              value={other.from}
              onChange={(from) => setOther({ ...other, from })}
            />
            <DateInput
              label={t('importExport.export.to')}
              {...(other.from !== '' && { min: other.from })}
              value={other.to}
              onChange={(to) => setOther({ ...other, to })}
            />
          </Group>
        )}
        <Group>
          <Button loading={isBusy} onClick={() => void start()}>
            {t('importExport.export.action')}
          </Button>
        </Group>
      </Stack>
    </ImportExportPart>
  )
}
