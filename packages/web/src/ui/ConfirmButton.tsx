import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from '../i18n/translation.ts'
import { useBusy } from './feedback/useAttempt.ts'

interface Props {
  label: string
  /** The subject of the action, for screen readers. */
  of: string
  question: string
  onConfirm: () => Promise<unknown>
}

/** Runs an action that cannot be undone, after a question in place. */
export function ConfirmButton({ label, of, question, onConfirm }: Props) {
  const { t } = useTranslation()
  const [isAsking, setAsking] = useState(false)
  const { isBusy, run } = useBusy()
  if (!isAsking) {
    return (
      <Button size="compact-md" variant="default" aria-label={`${label}: ${of}`} onClick={() => setAsking(true)}>
        {label}
      </Button>
    )
  }
  const confirm = async () => {
    await onConfirm()
    setAsking(false)
  }
  return (
    <Group gap="xs" role="group" aria-label={question}>
      <Text size="sm">{question}</Text>
      <Button size="compact-md" color="red" autoFocus loading={isBusy} onClick={() => void run(confirm)}>
        {label}
      </Button>
      <Button size="compact-md" variant="subtle" color="gray" onClick={() => setAsking(false)}>
        {t('ui.cancel')}
      </Button>
    </Group>
  )
}
