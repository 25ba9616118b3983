import { Text, TextInput } from '@mantine/core'
import type { UserAccounts } from '@saldo/client/user-accounts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ProofForm } from '../../domain/session/ProofForm.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import type { CreatedLink } from './LinkDialog.tsx'
import { accountWords } from './user-accounts-model.ts'

interface Props {
  accounts: UserAccounts
  onInvited: (made: CreatedLink) => void
  onClose: () => void
}

/** Asks for the name and the address of a new colleague. */
export default function InviteDialog({ accounts, onInvited, onClose }: Props) {
  const { t } = useTranslation()
  const [name, setName] = useState('')
  const [email, setEmail] = useState('')
  return (
    <Dialog title={t('userAccounts.invite')} onClose={onClose} isForm>
      <ProofForm
        action={t('userAccounts.createInvitation')}
        act={(proof) => accounts.invite({ name, email }, proof).then(onInvited)}
        onCancel={onClose}
        isComplete={name.trim() !== '' && email.trim() !== ''}
        words={accountWords}
      >
        {(failureAt) => (
          <>
            <Text c="dimmed">{t('userAccounts.inviteLead')}</Text>
            <TextInput
              label={t('userAccounts.name')}
              data-autofocus
              maxLength={200}
              error={failureAt('name')}
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <TextInput
              label={t('signIn.email')}
              type="email"
              error={failureAt('email')}
              value={email}
              onChange={(event) => setEmail(event.currentTarget.value)}
            />
          </>
        )}
      </ProofForm>
    </Dialog>
  )
}
