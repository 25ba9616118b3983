import { Button, Group } from '@mantine/core'
import { useTranslation } from 'react-i18next'

interface Props {
  /** Deletes what is edited, where it is there already. */
  onDelete: (() => void) | undefined
  onCancel: () => void
}

/** The ways out of an editor's form; saving submits it. */
export function EditorFoot({ onDelete, onCancel }: Props) {
  const { t } = useTranslation()
  return (
    <Group justify={onDelete ? 'space-between' : 'flex-end'}>
      {onDelete && (
        <Button variant="subtle" color="red" onClick={onDelete}>
          {t('ui.delete')}
        </Button>
      )}
      <Group gap="sm">
        <Button variant="default" onClick={onCancel}>
          {t('ui.cancel')}
        </Button>
        <Button type="submit">{t('ui.save')}</Button>
      </Group>
    </Group>
  )
}
