import { Text } from '@mantine/core'
import type { UserAccounts } from '@saldo/client/user-accounts'
import { useState } from 'react'
import { ProofForm } from '../../domain/session/ProofForm.tsx'
import { useTranslation } from '../../i18n/translation.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import type { CreatedLink } from './LinkDialog.tsx'
import { PersonFields } from './PersonFields.tsx'
import { accountWords } from './user-accounts-model.ts'

interface Props {
  accounts: UserAccounts
  onInvited: (made: CreatedLink) => void
  onClose: () => void
}

/** Asks for the name and the address of a new colleague. */
export default function InviteDialog({ accounts, onInvited, onClose }: Props) {
  const { t } = useTranslation()
  const [person, setPerson] = useState({ name: '', email: '' })
  const { name, email } = person
  return (
    <Dialog title={t('userAccounts.invite')} onClose={onClose} isForm>
      <ProofForm
        action={t('userAccounts.createInvitation')}
        act={(proof) => accounts.invite(person, proof).then(onInvited)}
        onCancel={onClose}
        isComplete={name.trim() !== '' && email.trim() !== ''}
        words={accountWords}
      >
        {(failureAt) => (
          <>
            <Text c="dimmed">{t('userAccounts.inviteLead')}</Text>
            <PersonFields
              person={person}
              onChange={(changed) => setPerson({ ...person, ...changed })}
              failureAt={failureAt}
            />
          </>
        )}
      </ProofForm>
    </Dialog>
  )
}
