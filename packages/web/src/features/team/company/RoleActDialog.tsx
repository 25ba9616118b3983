import { Text } from '@mantine/core'
import type { Proof } from '@saldo/client/user-accounts'
import type { RoleRow } from '@saldo/core'
import { useToday } from '../../../domain/account/TimelineProvider.tsx'
import { ProofForm } from '../../../domain/session/ProofForm.tsx'
import { useTeamCalls } from '../../../domain/team/useTeamAnswer.ts'
import { useTranslation } from '../../../i18n/translation.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { refuseRejected } from './item-results.ts'

/** An act on a role that needs a proof. */
export interface RoleAct {
  act: 'confirm' | 'end'
  role: RoleRow
}

interface Props {
  opened: RoleAct
  onDone: () => Promise<void>
  onClose: () => void
}

/** Confirms a role, or ends it today, by password or passkey. */
export function RoleActDialog({ opened: { act, role }, onDone, onClose }: Props) {
  const { t } = useTranslation()
  const calls = useTeamCalls()
  const today = useToday()
  const end = async (proof: Proof) => {
    const { user, group_id, from, stands_in_for } = role
    const person = {
      user_id: user.user_id,
      stands_in_for: stands_in_for?.user_id ?? null,
    }
    const until = today < from ? from : today
    refuseRejected(await calls.putRoles([{ ...person, role: role.role, group_id, from, until }], proof))
  }
  const work = { confirm: (proof: Proof) => calls.confirmRole(role.id, proof), end }
  return (
    <Dialog title={`${t(`team.roles.${act}`)}: ${t(`team.role.${role.role}.name`)}`} onClose={onClose}>
      <ProofForm
        action={t(`team.roles.${act}`)}
        act={async (proof) => {
          await work[act](proof)
          onClose()
          await onDone()
        }}
        onCancel={onClose}
        autoFocus
      >
        {() => <Text>{t(`team.roles.${act}Question`, { name: role.user.name, email: role.user.email })}</Text>}
      </ProofForm>
    </Dialog>
  )
}
