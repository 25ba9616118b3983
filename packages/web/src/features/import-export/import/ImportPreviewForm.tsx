import { Loader, Select, Stack, Text } from '@mantine/core'
import { importFormats, importLimits } from '@saldo/client/import'
import { useFormat } from '../../../context/FormatProvider.tsx'
import { ZoneSelect } from '../../../domain/work-hours/ZoneSelect.tsx'
import { useTranslation } from '../../../i18n/translation.ts'
import { FormFooter } from '../../../ui/FormFooter.tsx'
import { ProblemText } from '../../../ui/Notice.tsx'
import { ImportExportPart } from '../Part.tsx'
import { AnswerFields } from './AnswerFields.tsx'
import { ColumnFields } from './ColumnFields.tsx'
import { type ChosenFile, factsOf } from './import-model.ts'
import type { FileReading } from './import-work.ts'
import { PreviewFigures } from './PreviewFigures.tsx'
import { UsedColumns } from './UsedColumns.tsx'
import type { ImportActions } from './useImport.ts'

interface Props {
  file: ChosenFile
  actions: Pick<ImportActions, 'readAs' | 'answer' | 'start' | 'reset'>
}

/** Asks what a file leaves open, and shows the effect of importing it. */
export function ImportPreviewForm({ file, actions }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const { source, reading, look, isBusy } = file
  const preview = reading?.outcome === 'read' ? look?.preview : undefined
  const count = preview ? factsOf(preview).recordCount : 0
  return (
    <ImportExportPart title={source.name}>
      {reading && (
        <Stack w="100%" maw="30rem">
          <FormatField file={file} reading={reading} actions={actions} />
          {reading.outcome === 'read' && reading.hasLocalTimes && (
            <ZoneSelect
              value={file.answers.timeZone}
              help={t('importExport.ask.zoneHelp')}
              onChange={(timeZone) => actions.answer(file, { timeZone })}
            />
          )}
          {reading.outcome === 'read' && look && (
            <AnswerFields
              questions={look.questions}
              answers={file.answers}
              onAnswer={(answers) => actions.answer(file, answers)}
            />
          )}
        </Stack>
      )}
      {reading?.table && (
        <ColumnFields
          table={reading.table}
          columns={file.choices.columns ?? reading.table.columns}
          onChange={(columns) => actions.readAs(file, { format: 'csv', columns })}
        />
      )}
      {reading?.outcome === 'read' && reading.columns && <UsedColumns columns={reading.columns} />}
      {preview && <PreviewFigures preview={preview} />}
      {isBusy && (
        <Text role="status">
          <Loader size="xs" mr="xs" aria-hidden />
          {t('importExport.import.reading')}
        </Text>
      )}
      {!preview && !isBusy && reading?.outcome === 'read' && <Text>{t('importExport.ask.first')}</Text>}
      <FormFooter
        action={
          count === 0
            ? t('importExport.import.title')
            : t('importExport.preview.import', { count, shown: format.number(count) })
        }
        disabled={count === 0 || isBusy}
        onAction={() => actions.start(file)}
        onCancel={actions.reset}
      />
    </ImportExportPart>
  )
}

function FormatField({ file, reading, actions }: Props & { reading: FileReading }) {
  const { t } = useTranslation()
  const format = useFormat()
  const isRead = reading.outcome === 'read'
  const data = importFormats.map((value) => ({ value, label: t(`importExport.format.${value}`) }))
  return (
    <>
      <Select
        label={t('importExport.formatLabel')}
        data={data}
        value={isRead ? reading.format : (file.choices.format ?? null)}
        allowDeselect={false}
        onChange={(chosen) => chosen !== null && actions.readAs(file, { format: chosen })}
      />
      {!isRead && (
        <ProblemText>
          {reading.limit === undefined
            ? t(`importExport.unreadable.${reading.code}`)
            : t(`importExport.tooLarge.${reading.limit}`, { most: format.number(importLimits[reading.limit]) })}
        </ProblemText>
      )}
    </>
  )
}
