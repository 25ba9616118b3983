import { Button, type ButtonProps, Group } from '@mantine/core'
import { useTranslation } from '../i18n/translation.ts'
import { useBusy } from './feedback/useAttempt.ts'

interface Props extends Pick<ButtonProps, 'color' | 'disabled' | 'loading'> {
  /** The label of the button that submits the form; "Save" if not given. */
  action?: string
  /** Submits in place of a form. The button is busy until the promise, if there is one, resolves. */
  onAction?: () => unknown
  /** Deletes the edited record, if it exists already. */
  onDelete?: (() => void) | undefined
  onCancel: () => void
}

/** The buttons of a form: cancel, submit and perhaps delete. */
export function FormFooter({ action, onAction, onDelete, onCancel, loading = false, ...submit }: Props) {
  const { t } = useTranslation()
  const { isBusy, run } = useBusy()
  return (
    <Group justify={onDelete ? 'space-between' : 'flex-end'}>
      {onDelete && (
        <Button variant="subtle" color="red" onClick={onDelete}>
          {t('ui.delete')}
        </Button>
      )}
      <Group gap="sm" justify="flex-end">
        <Button variant="default" onClick={onCancel}>
          {t('ui.cancel')}
        </Button>
        <Button
          {...submit}
          loading={loading || isBusy}
          {...(onAction ? { onClick: () => void run(async () => onAction()) } : { type: 'submit' })}
        >
          {action ?? t('ui.save')}
        </Button>
      </Group>
    </Group>
  )
}
