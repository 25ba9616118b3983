import { PasswordInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useVisitor } from '../../../context/session.tsx'
import { useAttempt } from '../useAttempt.ts'
import { StepForm } from './StepForm.tsx'

interface Props {
  /** What the password is asked for. */
  action: string
  act: (password: string) => Promise<unknown>
  onCancel: () => void
}

/** Asks for the password again, before something that whoever finds an open session must not do. */
export function PasswordForm({ action, act, onCancel }: Props) {
  const { t } = useTranslation()
  const { user } = useVisitor()
  const [password, setPassword] = useState('')
  const { isBusy, failure, attempt } = useAttempt({ forbidden: 'settings.password.wrong' })
  return (
    <StepForm action={action} isBusy={isBusy} onSend={() => void attempt(act(password))} onCancel={onCancel}>
      <input type="hidden" autoComplete="username" value={user.email} />
      <PasswordInput
        label={t('settings.password.current')}
        autoComplete="current-password"
        autoFocus
        required
        withAsterisk={false}
        visibilityToggleButtonProps={{ 'aria-label': t('signIn.showPassword') }}
        error={failure}
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
    </StepForm>
  )
}
