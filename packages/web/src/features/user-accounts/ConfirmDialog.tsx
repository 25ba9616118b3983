import { Checkbox, Stack, Text } from '@mantine/core'
import type { Proof, UserAccounts } from '@saldo/client/user-accounts'
import type { UserAccountLink, UserAccountRow } from '@saldo/core'
import { useState } from 'react'
import { ProofForm } from '../../domain/session/ProofForm.tsx'
import { useTranslation } from '../../i18n/translation.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { FormFooter } from '../../ui/FormFooter.tsx'
import { useAct } from '../../ui/feedback/useAct.tsx'

/** The acts on an account that are asked about first, each with its words. Those that give access need a proof. */
export type ConfirmedAct = ProvenAct | PlainAct
type ProvenAct = 'confirmAddress' | 'inviteAgain' | 'reset' | 'makeAdmin' | 'makeUser' | 'reactivate' | 'keep'
type PlainAct = 'endSessions' | 'deactivate' | 'withdraw' | 'erase'

interface Props {
  act: ConfirmedAct
  account: UserAccountRow
  accounts: UserAccounts
  /** True if links are mailed, unless the admin wants to pass one on. */
  isMailOn: boolean
  onLink: (link: UserAccountLink) => void
  onDone: () => Promise<void>
  onClose: () => void
}

/** Names the person and what an act on their account does before it is done. */
export default function ConfirmDialog({ act: what, account, accounts, isMailOn, onLink, onDone, onClose }: Props) {
  const { t } = useTranslation()
  const { act } = useAct()
  const [show, setShow] = useState(false)
  const { user_id: id, name, email } = account
  const person = { name: name || email, email }
  const isLink = what === 'inviteAgain' || what === 'reset'
  const proven: Record<ProvenAct, (proof: Proof) => Promise<unknown>> = {
    confirmAddress: (proof) => accounts.change(id, { email }, proof).then(onClose),
    inviteAgain: (proof) => accounts.createLink(id, proof, { show }).then(onLink),
    reset: (proof) => accounts.createLink(id, proof, { show }).then(onLink),
    makeAdmin: (proof) => accounts.change(id, { role: 'admin' }, proof).then(onClose),
    makeUser: (proof) => accounts.change(id, { role: 'user' }, proof).then(onClose),
    reactivate: (proof) => accounts.change(id, { active: true }, proof).then(onClose),
    keep: (proof) => accounts.change(id, { active: true }, proof).then(onClose),
  }
  const plain: Record<PlainAct, () => Promise<unknown>> = {
    endSessions: () => accounts.endSessions(id),
    deactivate: () => accounts.change(id, { active: false }),
    withdraw: () => accounts.withdraw(id),
    erase: () => accounts.erase(id),
  }
  const effect = <Text>{t(`userAccounts.confirm.${what}.effect`, person)}</Text>
  return (
    <Dialog title={t(`userAccounts.confirm.${what}.title`, person)} onClose={onClose}>
      {what in proven ? (
        <ProofForm
          action={t(`userAccounts.${what}`)}
          act={async (proof) => {
            await proven[what as ProvenAct](proof)
            await onDone()
          }}
          onCancel={onClose}
          autoFocus
        >
          {() => (
            <>
              {effect}
              {isLink && isMailOn && (
                <Checkbox
                  label={t('userAccounts.showLink')}
                  checked={show}
                  onChange={(event) => setShow(event.currentTarget.checked)}
                />
              )}
            </>
          )}
        </ProofForm>
      ) : (
        <Stack>
          {effect}
          {what === 'erase' && <Text>{t('userAccounts.eraseLater')}</Text>}
          <FormFooter
            action={t(`userAccounts.${what}`)}
            {...(what === 'erase' && { color: 'red' })}
            onAction={async () => {
              if (await act(plain[what as PlainAct]())) onClose()
              await onDone()
            }}
            onCancel={onClose}
          />
        </Stack>
      )}
    </Dialog>
  )
}
