import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSignedIn } from '../../../context/session.tsx'
import { SignInFirst } from '../../../domain/session/company/SignInFirst.tsx'
import { useHasPassword } from '../../../domain/session/useHasPassword.ts'
import { useAttempt } from '../../../ui/feedback/useAttempt.ts'
import { PasswordField } from '../../../ui/PasswordField.tsx'
import { StepForm } from './StepForm.tsx'

interface Props {
  /** The label of the button that submits. */
  action: string
  act: (password: string) => Promise<unknown>
  onCancel: () => void
  /** Fields before the password. */
  children?: ReactNode
  /** Another way than the password. */
  instead?: ReactNode
}

/**
 * Asks for the password again before an action that an open session alone must not allow; a user without a password
 * signs in again instead.
 */
export function PasswordForm({ action, act, onCancel, children, instead }: Props) {
  const { t } = useTranslation()
  const { user } = useSignedIn()
  const [password, setPassword] = useState('')
  const hasPassword = useHasPassword()
  const { isBusy, failure, attempt } = useAttempt({
    forbidden: hasPassword ? 'settings.password.wrong' : 'signIn.company.again',
  })
  return (
    <StepForm action={action} isBusy={isBusy} onSend={() => void attempt(act(password))} onCancel={onCancel}>
      {children}
      <input type="hidden" autoComplete="username" value={user.email} />
      {hasPassword ? (
        <PasswordField
          label={t('settings.password.current')}
          autoComplete="current-password"
          autoFocus={children === undefined}
          error={failure}
          value={password}
          onChange={setPassword}
        />
      ) : (
        <SignInFirst failure={failure} />
      )}
      {instead}
    </StepForm>
  )
}
