import { Button, Group, Modal, Text } from '@mantine/core'
import { useTranslation } from '../i18n/translation.ts'
import { useFocusReturn } from './focus.ts'

/** Asks before what was changed in a form goes. */
export function DiscardQuestion({ onKeep, onDiscard }: { onKeep: () => void; onDiscard: () => void }) {
  const { t } = useTranslation()
  useFocusReturn()
  return (
    <Modal opened size="sm" withCloseButton={false} title={t('ui.unsaved.title')} onClose={onKeep}>
      <Text>{t('ui.unsaved.why')}</Text>
      <Group mt="lg" justify="flex-end">
        <Button variant="default" onClick={onDiscard}>
          {t('ui.unsaved.discard')}
        </Button>
        <Button data-autofocus onClick={onKeep}>
          {t('ui.unsaved.keep')}
        </Button>
      </Group>
    </Modal>
  )
}
