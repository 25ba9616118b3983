import { Stack, TextInput } from '@mantine/core'
import { useSaldo } from '@saldo/client/react'
import { changeEmail } from '@saldo/client/user-accounts'
import { type FormEvent, useState } from 'react'
import { syncProfile } from '../../../domain/profile/sync-profile.ts'
import { useTranslation } from '../../../i18n/translation.ts'
import { PasswordField } from '../../../ui/CredentialFields.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { FormFooter } from '../../../ui/FormFooter.tsx'
import { useAttempt } from '../../../ui/feedback/useAttempt.ts'
import { useInvalidFocus } from '../../../ui/focus.ts'
import { ProblemText } from '../../../ui/Notice.tsx'

/** Asks for a new address and the password. `onDone` gets the message for the user. */
export default function ChangeEmail({ onDone, onClose }: { onDone: (message: string) => void; onClose: () => void }) {
  const { t } = useTranslation()
  const { userAccount, user } = useSaldo()
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const { isBusy, failure, failedField, attempt } = useAttempt({
    '/email': ['signIn.incompleteEmail', 'email'],
    conflict: ['settings.account.emailTaken', 'email'],
    forbidden: ['settings.password.wrong', 'password'],
  })
  const send = (event: FormEvent) => {
    event.preventDefault()
    const changing = changeEmail(user, { email, password }).then(async ({ outcome }) => {
      if (outcome === 'changed') await syncProfile(user, userAccount)
      const key = outcome === 'changed' ? 'settings.account.emailChanged' : 'settings.account.emailSent'
      onDone(t(key, { email: email.trim() }))
    })
    void attempt(changing)
  }
  return (
    <Dialog title={t('settings.account.changeEmail')} onClose={onClose} isForm>
      <form ref={useInvalidFocus(failedField)} noValidate onSubmit={send}>
        <Stack>
          <TextInput
            label={t('settings.account.newEmail')}
            type="email"
            autoComplete="email"
            data-autofocus
            error={failedField === 'email' && failure}
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          <PasswordField
            label={t('settings.password.current')}
            autoComplete="current-password"
            error={failedField === 'password' && failure}
            value={password}
            onChange={setPassword}
          />
          {failure && failedField === undefined && <ProblemText>{failure}</ProblemText>}
          <FormFooter
            action={t('settings.account.changeEmail')}
            loading={isBusy}
            disabled={email.trim() === '' || password === ''}
            onCancel={onClose}
          />
        </Stack>
      </form>
    </Dialog>
  )
}
