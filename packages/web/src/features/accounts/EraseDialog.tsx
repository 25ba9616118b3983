import { Stack, Text } from '@mantine/core'
import type { Accounts } from '@saldo/client/accounts'
import type { AccountRow } from '@saldo/core'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../../ui/Dialog.tsx'
import { FormFooter } from '../../ui/FormFooter.tsx'
import { useAct } from '../../ui/feedback/useAct.tsx'

interface Props {
  account: AccountRow
  accounts: Accounts
  onErased: () => Promise<void>
  onClose: () => void
}

/** Warns before an account is erased. */
export default function EraseDialog({ account: { user_id: id, name, email }, accounts, onErased, onClose }: Props) {
  const { t } = useTranslation()
  const { act } = useAct()
  const erase = async () => {
    if (await act(accounts.erase(id))) onClose()
    await onErased()
  }
  return (
    <Dialog title={t('accounts.eraseTitle', { name: name || email })} onClose={onClose}>
      <Stack>
        <Text>{t('accounts.eraseNow')}</Text>
        <Text>{t('accounts.eraseLater')}</Text>
        <FormFooter action={t('accounts.erase')} color="red" onAction={erase} onCancel={onClose} />
      </Stack>
    </Dialog>
  )
}
