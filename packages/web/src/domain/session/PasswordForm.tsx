import { type ReactNode, useState } from 'react'
import type { OwnWords } from '../../ui/feedback/failure.ts'
import { useAttempt } from '../../ui/feedback/useAttempt.ts'
import { StepForm } from '../../ui/StepForm.tsx'
import { ProofField } from './ProofForm.tsx'
import { useHasPassword } from './session-hooks.ts'

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
      <ProofField
        hasPassword={hasPassword}
        autoFocus={children === undefined}
        failure={failureAt()}
        value={password}
        onChange={setPassword}
      />
      {instead}
    </StepForm>
  )
}
