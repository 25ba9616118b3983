import { Button, Group, Stack } from '@mantine/core'
import type { FormEvent, ReactNode } from 'react'
import { useTranslation } from '../i18n/translation.ts'

interface Props {
  /** The label of the button that submits. */
  action: string
  isBusy: boolean
  onSend: () => void
  onCancel: () => void
  children: ReactNode
}

/** One step on the way to a second factor, or from it. */
export function StepForm({ action, isBusy, onSend, onCancel, children }: Props) {
  const { t } = useTranslation()
  const send = (event: FormEvent) => {
    event.preventDefault()
    onSend()
  }
  return (
    <form onSubmit={send}>
      <Stack maw="24rem">
        {children}
        <Group>
          <Button type="submit" variant="default" loading={isBusy}>
            {action}
          </Button>
          <Button variant="subtle" color="gray" onClick={onCancel}>
            {t('ui.cancel')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
