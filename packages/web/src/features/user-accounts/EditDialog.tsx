import { Text } from '@mantine/core'
import type { UserAccounts } from '@saldo/client/user-accounts'
import type { UserAccountRow } from '@saldo/core'
import { useState } from 'react'
import { ProofForm } from '../../domain/session/ProofForm.tsx'
import { useTranslation } from '../../i18n/translation.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { PersonFields } from './PersonFields.tsx'
import { accountWords } from './user-accounts-model.ts'

interface Props {
  account: UserAccountRow
  accounts: UserAccounts
  onDone: () => Promise<void>
  onClose: () => void
}

/** Corrects the name and the address of somebody, after a marriage or a mistyped invitation. */
export default function EditDialog({ account, accounts, onDone, onClose }: Props) {
  const { t } = useTranslation()
  const [person, setPerson] = useState({ name: account.name, email: account.email })
  const { name, email } = person
  const isMoved = email.trim() !== account.email
  return (
    <Dialog title={t('userAccounts.editTitle', { name: account.name || account.email })} onClose={onClose} isForm>
      <ProofForm
        action={t('ui.save')}
        act={async (proof) => {
          await accounts.change(account.user_id, isMoved ? { name, email } : { name }, proof)
          onClose()
          await onDone()
        }}
        onCancel={onClose}
        isComplete={name.trim() !== '' && email.trim() !== ''}
        isAsked={isMoved}
        words={accountWords}
      >
        {(failureAt) => (
          <>
            <PersonFields
              person={person}
              onChange={(changed) => setPerson({ ...person, ...changed })}
              failureAt={failureAt}
            />
            <Text size="sm" c="dimmed">
              {t(account.state === 'invited' ? 'userAccounts.editInvited' : 'userAccounts.editActive')}
            </Text>
          </>
        )}
      </ProofForm>
    </Dialog>
  )
}
