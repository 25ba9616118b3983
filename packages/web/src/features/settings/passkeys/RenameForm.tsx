import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAttempt } from '../../../ui/feedback/useAttempt.ts'
import { StepForm } from '../second-factor/StepForm.tsx'

interface Props {
  name: string
  rename: (name: string) => Promise<unknown>
  onCancel: () => void
}

/** Another name for a passkey, so that its owner knows which it is. */
export function RenameForm({ name: present, rename, onCancel }: Props) {
  const { t } = useTranslation()
  const [name, setName] = useState(present)
  const { isBusy, failure, attempt } = useAttempt({})
  return (
    <StepForm
      action={t('ui.save')}
      isBusy={isBusy}
      onSend={() => void attempt(rename(name.trim()))}
      onCancel={onCancel}
    >
      <TextInput
        label={t('settings.passkeys.name')}
        autoFocus
        required
        withAsterisk={false}
        maxLength={100}
        error={failure}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
    </StepForm>
  )
}
