import { Button, Group, Text } from '@mantine/core'
import type { TimerAction } from '@saldo/client/entries'
import { useTranslation } from '../../i18n/translation.ts'
import { Dialog } from '../../ui/Dialog.tsx'

interface Props {
  name: TimerAction | 'resume'
  onClose: () => void
  onYes: () => void
}

export default function AskedDialog({ name, onClose, onYes }: Props) {
  const { t } = useTranslation()
  return (
    <Dialog title={t(`today.asked.${name}`)} size="sm" onClose={onClose}>
      <Text>{t('today.asked.why')}</Text>
      <Group mt="lg" justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {t('ui.cancel')}
        </Button>
        <Button
          data-autofocus
          // A key that is still held from the page before is no answer.
          onKeyDown={(event) => event.repeat && event.preventDefault()}
          onClick={() => {
            onClose()
            onYes()
          }}
        >
          {t(`today.timer.${name}`)}
        </Button>
      </Group>
    </Dialog>
  )
}
