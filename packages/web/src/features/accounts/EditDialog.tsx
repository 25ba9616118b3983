import { Stack, Text, TextInput } from '@mantine/core'
import type { Accounts } from '@saldo/client/accounts'
import type { AccountRow } from '@saldo/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../../ui/Dialog.tsx'
import { FormFooter } from '../../ui/FormFooter.tsx'
import { useAttempt } from '../../ui/feedback/useAttempt.ts'
import { ProblemText } from '../../ui/Notice.tsx'

interface Props {
  account: AccountRow
  accounts: Accounts
  onDone: () => Promise<void>
  onClose: () => void
}

/** Corrects the name and the address of somebody, after a marriage or a mistyped invitation. */
export default function EditDialog({ account, accounts, onDone, onClose }: Props) {
  const { t } = useTranslation()
  const [name, setName] = useState(account.name)
  const [email, setEmail] = useState(account.email)
  const { isBusy, failure, failedField, attempt } = useAttempt({
    '/email': ['signIn.incompleteEmail', 'email'],
    '/name': ['signIn.noName', 'name'],
    conflict: ['accounts.taken', 'email'],
  })
  const errorOf = (field: string) => failedField === field && failure
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void attempt(
      accounts.change(account.user_id, { name, email }).then(async () => {
        onClose()
        await onDone()
      }),
    )
  }
  return (
    <Dialog title={t('accounts.editTitle', { name: account.name || account.email })} onClose={onClose} isForm>
      <form noValidate onSubmit={submit}>
        <Stack>
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
          <Text size="sm" c="dimmed">
            {t(account.state === 'invited' ? 'accounts.editInvited' : 'accounts.editActive')}
          </Text>
          {failure && failedField === undefined && <ProblemText>{failure}</ProblemText>}
          <FormFooter
            action={t('ui.save')}
            loading={isBusy}
            disabled={name.trim() === '' || email.trim() === ''}
            onCancel={onClose}
          />
        </Stack>
      </form>
    </Dialog>
  )
}
