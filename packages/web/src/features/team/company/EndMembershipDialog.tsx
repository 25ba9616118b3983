import { Stack, Text } from '@mantine/core'
import type { GroupRow, MemberRow } from '@saldo/core'
import { useState } from 'react'
import { useToday } from '../../../domain/account/TimelineProvider.tsx'
import { useTeamCalls } from '../../../domain/team/useTeamAnswer.ts'
import { useTranslation } from '../../../i18n/translation.ts'
import { DateInput } from '../../../ui/DateInput.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { FormFooter } from '../../../ui/FormFooter.tsx'
import { useAct } from '../../../ui/feedback/useAct.tsx'

interface Props {
  person: MemberRow
  groups: readonly GroupRow[]
  onDone: () => Promise<void>
  onClose: () => void
}

/** Ends the memberships of somebody who leaves, on a last day. */
export function EndMembershipDialog({ person, groups, onDone, onClose }: Props) {
  const { t } = useTranslation()
  const calls = useTeamCalls()
  const { act } = useAct()
  const [until, setUntil] = useState(useToday())
  const { name, email, memberships } = person
  const open = memberships.filter((each) => each.until === null || each.until > until)
  const end = async () => {
    const inputs = open.map(({ group_id, from }) => ({ email, name, group_id, from, until }))
    if (await act(calls.putPeople(inputs))) onClose()
    await onDone()
  }
  const nameOf = (id: number) => groups.find((group) => group.id === id)?.name ?? ''
  return (
    <Dialog title={t('team.people.endOf', { name: name || email })} onClose={onClose} isForm>
      <Stack>
        <Text>{t('team.people.endEffect')}</Text>
        {open.length > 0 && <Text>{open.map(({ group_id }) => nameOf(group_id)).join(', ')}</Text>}
        <DateInput label={t('team.people.lastDay')} value={until} onChange={setUntil} />
        <FormFooter action={t('team.people.end')} disabled={open.length === 0} onAction={end} onCancel={onClose} />
      </Stack>
    </Dialog>
  )
}
