import { Button, FileButton, Text } from '@mantine/core'
import { type DragEvent, useState } from 'react'
import { useTranslation } from '../../../i18n/translation.ts'
import { IconFileUpload } from '../../../ui/icons.ts'
import { ImportExportPart } from '../Part.tsx'
import classes from './FileChooser.module.css'

/** Takes a file, chosen or dropped. */
export function FileChooser({ onChoose }: { onChoose: (file: File) => void }) {
  const { t } = useTranslation()
  const [isOver, setOver] = useState(false)
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    const [file] = event.dataTransfer.files
    if (file) onChoose(file)
  }
  return (
    <ImportExportPart title={t('importExport.import.title')} lead={t('importExport.import.lead')}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the button inside does the same for keyboards */}
      <div
        className={classes.place}
        data-over={isOver || undefined}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <IconFileUpload size={28} stroke={1.5} aria-hidden />
        <FileButton onChange={(file) => file && onChoose(file)}>
          {(props) => <Button {...props}>{t('importExport.import.choose')}</Button>}
        </FileButton>
        <Text size="sm" c="dimmed" className={classes.drop}>
          {t('importExport.import.drop')}
        </Text>
      </div>
      <Text size="sm" c="dimmed">
        {t('importExport.import.formats')}
      </Text>
    </ImportExportPart>
  )
}
