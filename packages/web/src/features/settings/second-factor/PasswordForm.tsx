import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSignedIn } from '../../../context/session.tsx'
import { SignInFirst } from '../../../domain/session/company/CompanyButtons.tsx'
import { useHasPassword } from '../../../domain/session/session-hooks.ts'
import { PasswordField } from '../../../ui/CredentialFields.tsx'
import type { OwnWords } from '../../../ui/feedback/failure.ts'
import { useAttempt } from '../../../ui/feedback/useAttempt.ts'
import { StepForm } from './StepForm.tsx'

interface Props {
  /** The label of the button that submits. */
  action: string
  act: (password: string) => Promise<unknown>
  onCancel: () => void
  /** Fields before the password; a function gets what is wrong with the field that `words` name. */
  children?: ReactNode | ((failureAt: (field: string) => string | undefined) => ReactNode)
  /** Texts for failures that are not about the password. */
  words?: OwnWords | undefined
  /** Another way than the password. */
  instead?: ReactNode
}

/**
 * Asks for the password again before an action that an open session alone must not allow; a user without a password
 * signs in again instead.
 */
export function PasswordForm({ action, act, onCancel, children, words, instead }: Props) {
  const { t } = useTranslation()
  const { user } = useSignedIn()
  const [password, setPassword] = useState('')
  const hasPassword = useHasPassword()
  const { isBusy, failure, failedField, attempt } = useAttempt({
    ...words,
    forbidden: hasPassword ? 'settings.password.wrong' : 'signIn.company.again',
  })
  const failureAt = (field?: string) => (field === failedField ? failure : undefined)
  return (
    <StepForm action={action} isBusy={isBusy} onSend={() => void attempt(act(password))} onCancel={onCancel}>
      {typeof children === 'function' ? children(failureAt) : children}
      <input type="hidden" autoComplete="username" value={user.email} />
      {hasPassword ? (
        <PasswordField
          label={t('settings.password.current')}
          autoComplete="current-password"
          autoFocus={children === undefined}
          error={failureAt()}
          value={password}
          onChange={setPassword}
        />
      ) : (
        <SignInFirst failure={failureAt()} />
      )}
      {instead}
    </StepForm>
  )
}
