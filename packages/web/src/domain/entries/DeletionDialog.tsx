import { Stack, Text } from '@mantine/core'
import { useFormat } from '../../context/FormatProvider.tsx'
import { useTranslation } from '../../i18n/translation.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { FormFooter } from '../../ui/FormFooter.tsx'

interface Props {
  count: number
  onDelete: () => void
  onClose: () => void
}

/** Asks before many entries are deleted. */
export default function DeletionDialog({ count, onDelete, onClose }: Props) {
  const { t } = useTranslation()
  const number = useFormat().number(count)
  return (
    <Dialog title={t('entries.deletion.title', { count, number })} onClose={onClose}>
      <Stack>
        <Text>{t('entries.deletion.why')}</Text>
        <FormFooter
          action={t('entries.deletion.action', { count, number })}
          color="red"
          onAction={() => {
            onClose()
            onDelete()
          }}
          onCancel={onClose}
        />
      </Stack>
    </Dialog>
  )
}
