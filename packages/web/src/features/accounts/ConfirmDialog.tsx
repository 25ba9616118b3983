import { Stack, Text } from '@mantine/core'
import type { Accounts } from '@saldo/client/accounts'
import type { AccountRow } from '@saldo/core'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../../ui/Dialog.tsx'
import { FormFooter } from '../../ui/FormFooter.tsx'
import { useAct } from '../../ui/feedback/useAct.tsx'

/** The acts on an account that are asked about first, each with its words. */
export type ConfirmedAct = 'makeAdmin' | 'makeUser' | 'endSessions' | 'deactivate' | 'withdraw' | 'erase'

interface Props {
  act: ConfirmedAct
  account: AccountRow
  accounts: Accounts
  onDone: () => Promise<void>
  onClose: () => void
}

/** Names the person and what they lose before an act on their account. */
export default function ConfirmDialog({ act: what, account, accounts, onDone, onClose }: Props) {
  const { t } = useTranslation()
  const { act } = useAct()
  const { user_id: id, name, email } = account
  const person = { name: name || email }
  const doIt: Record<ConfirmedAct, () => Promise<unknown>> = {
    makeAdmin: () => accounts.change(id, { role: 'admin' }),
    makeUser: () => accounts.change(id, { role: 'user' }),
    endSessions: () => accounts.endSessions(id),
    deactivate: () => accounts.change(id, { active: false }),
    withdraw: () => accounts.withdraw(id),
    erase: () => accounts.erase(id),
  }
  const confirm = async () => {
    if (await act(doIt[what]())) onClose()
    await onDone()
  }
  return (
    <Dialog title={t(`accounts.confirm.${what}.title`, person)} onClose={onClose}>
      <Stack>
        <Text>{t(`accounts.confirm.${what}.effect`, person)}</Text>
        {what === 'erase' && <Text>{t('accounts.eraseLater')}</Text>}
        <FormFooter
          action={t(`accounts.${what}`)}
          {...(what === 'erase' && { color: 'red' })}
          onAction={confirm}
          onCancel={onClose}
        />
      </Stack>
    </Dialog>
  )
}
