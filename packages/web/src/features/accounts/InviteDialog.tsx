import { Stack, Text, TextInput } from '@mantine/core'
import type { Accounts } from '@saldo/client/accounts'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../../ui/Dialog.tsx'
import { FormFooter } from '../../ui/FormFooter.tsx'
import { useAttempt } from '../../ui/feedback/useAttempt.ts'
import { ProblemText } from '../../ui/Notice.tsx'
import type { NewLink } from './LinkDialog.tsx'

interface Props {
  accounts: Accounts
  onInvited: (made: NewLink) => void
  onClose: () => void
}

/** Asks for the name and the address of a new colleague. */
export default function InviteDialog({ accounts, onInvited, onClose }: Props) {
  const { t } = useTranslation()
  const [name, setName] = useState('')
  const [email, setEmail] = useState('')
  const { isBusy, failure, failedField, attempt } = useAttempt({
    '/email': ['signIn.incompleteEmail', 'email'],
    '/name': ['signIn.noName', 'name'],
    conflict: ['accounts.taken', 'email'],
  })
  const errorOf = (field: string) => failedField === field && failure
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void attempt(accounts.invite({ name, email }).then(onInvited))
  }
  return (
    <Dialog title={t('accounts.invite')} onClose={onClose} isForm>
      <form noValidate onSubmit={submit}>
        <Stack>
          <Text c="dimmed">{t('accounts.inviteLead')}</Text>
          <TextInput
            label={t('accounts.name')}
            data-autofocus
            maxLength={200}
            error={errorOf('name')}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <TextInput
            label={t('signIn.email')}
            type="email"
            error={errorOf('email')}
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          {failure && failedField === undefined && <ProblemText>{failure}</ProblemText>}
          <FormFooter
            action={t('accounts.createInvitation')}
            loading={isBusy}
            disabled={name.trim() === '' || email.trim() === ''}
            onCancel={onClose}
          />
        </Stack>
      </form>
    </Dialog>
  )
}
