import { Button, Progress, Text } from '@mantine/core'
import { useFormat } from '../../../context/FormatProvider.tsx'
import { useTranslation } from '../../../i18n/translation.ts'
import { ImportExportPart } from '../Part.tsx'

interface Props {
  name: string
  done: number
  total: number
  onCancel: () => void
}

/** Shows how far an import is. */
export function ImportProgress({ name, done, total, onCancel }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const progress = t('importExport.progress.some', { done: format.number(done), total: format.number(total) })
  return (
    <ImportExportPart title={t('importExport.progress.title', { name })}>
      <Progress w="100%" size="lg" value={(100 * done) / total} aria-label={progress} />
      <Text>{progress}</Text>
      <Button variant="default" onClick={onCancel}>
        {t('ui.cancel')}
      </Button>
    </ImportExportPart>
  )
}
