import { Stack } from '@mantine/core'
import type { Proof } from '@saldo/client/user-accounts'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useSignedIn } from '../../context/session.tsx'
import { useTranslation } from '../../i18n/translation.ts'
import { PasswordField } from '../../ui/CredentialFields.tsx'
import { FormFooter } from '../../ui/FormFooter.tsx'
import type { OwnWords } from '../../ui/feedback/failure.ts'
import { useAttempt } from '../../ui/feedback/useAttempt.ts'
import { ProblemText } from '../../ui/Notice.tsx'
import { SignInFirst } from './CompanyButtons.tsx'
import { PasskeyButton } from './passkeys/PasskeyButton.tsx'
import { useHasPassword } from './session-hooks.ts'

interface FieldProps {
  hasPassword: boolean
  /** Another label where the password could be taken for that of somebody else. */
  label?: string
  autoFocus?: boolean
  failure: string | undefined
  value: string
  onChange: (password: string) => void
}

/** The field for the password of the signed-in user; one without a password is asked to sign in again. */
export function ProofField({ hasPassword, failure, label, ...field }: FieldProps) {
  const { t } = useTranslation()
  const { user } = useSignedIn()
  if (!hasPassword) return <SignInFirst failure={failure} />
  return (
    <>
      <input type="hidden" autoComplete="username" value={user.email} />
      <PasswordField
        label={label ?? t('settings.password.current')}
        autoComplete="current-password"
        error={failure}
        {...field}
      />
    </>
  )
}

interface Props {
  /** The label of the button that submits. */
  action: string
  act: (proof: Proof) => Promise<unknown>
  onCancel: () => void
  /** False while the fields lack something. */
  isComplete?: boolean
  /** True to begin at the password. */
  autoFocus?: boolean
  /** False if this change needs no proof. */
  isAsked?: boolean
  /** Texts for failures that are not about the proof. */
  words?: OwnWords
  children: (failureAt: (field: string) => string | undefined) => ReactNode
}

/** The form of a dialog that asks for the password or a passkey before an act that an open session must not allow. */
export function ProofForm({
  action,
  act,
  onCancel,
  isComplete = true,
  isAsked = true,
  autoFocus = false,
  words,
  children,
}: Props) {
  const { t } = useTranslation()
  const [password, setPassword] = useState('')
  const hasPassword = useHasPassword()
  const { isBusy, failure, failedField, attempt } = useAttempt({
    ...words,
    forbidden: [hasPassword ? 'settings.password.wrong' : 'signIn.company.again', 'password'],
  })
  const failureAt = (field: string) => (field === failedField ? failure : undefined)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void attempt(act(isAsked && hasPassword ? { password } : {}))
  }
  return (
    <form noValidate onSubmit={submit}>
      <Stack>
        {children(failureAt)}
        {isAsked && (
          <ProofField
            hasPassword={hasPassword}
            label={t('ui.ownPassword')}
            autoFocus={autoFocus}
            failure={failureAt('password')}
            value={password}
            onChange={setPassword}
          />
        )}
        {failure && failedField === undefined && <ProblemText>{failure}</ProblemText>}
        {isAsked && hasPassword && (
          <PasskeyButton
            action={t('ui.passkey.instead')}
            isDisabled={!isComplete}
            act={async (credential) => void (await act({ credential }))}
            words={words}
          />
        )}
        <FormFooter
          action={action}
          loading={isBusy}
          disabled={!isComplete || (isAsked && hasPassword && password === '')}
          onCancel={onCancel}
        />
      </Stack>
    </form>
  )
}
