import { Radio, Select, Stack, Text } from '@mantine/core'
import type { Proof } from '@saldo/client/user-accounts'
import { type GroupRow, type LocalDate, type TeamRole, teamRoles, type UserNumber } from '@saldo/core'
import { useToday } from '../../../domain/account/TimelineProvider.tsx'
import { ProofForm } from '../../../domain/session/ProofForm.tsx'
import { useTeamCalls } from '../../../domain/team/useTeamAnswer.ts'
import { useTranslation } from '../../../i18n/translation.ts'
import { DateInput } from '../../../ui/DateInput.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { SearchSelect } from '../../../ui/SearchSelect.tsx'
import { useForm } from '../../../ui/useForm.ts'
import { refuseRejected } from './item-results.ts'
import { useAllPeople } from './useCompany.ts'

interface Props {
  groups: readonly GroupRow[]
  onDone: () => Promise<void>
  onClose: () => void
}

interface RoleForm {
  user: string | null
  role: TeamRole
  groupId: number
  from: LocalDate
  until: LocalDate | ''
  standsInFor: string | null
}

/** Gives a role; each says what it may see. */
export function RoleDialog({ groups, onDone, onClose }: Props) {
  const { t } = useTranslation()
  return (
    <Dialog title={t('team.roles.give')} onClose={onClose} isForm size="lg">
      <RoleFields groups={groups} onDone={onDone} onClose={onClose} />
    </Dialog>
  )
}

function RoleFields({ groups, onDone, onClose }: Props) {
  const { t } = useTranslation()
  const calls = useTeamCalls()
  const today = useToday()
  const { answer: people = [], failure: noPeople } = useAllPeople()
  const company = groups.find(({ parent_id }) => parent_id === null)
  const [form, change] = useForm<RoleForm>({
    user: null,
    role: 'lead',
    groupId: company?.id ?? 0,
    from: today,
    until: '',
    standsInFor: null,
  })
  const options = people.map(({ user_id, name, email }) => ({ value: String(user_id), label: name || email }))
  const numberOf = (chosen: string | null) => (chosen === null ? null : (Number(chosen) as UserNumber))
  const user = numberOf(form.user)
  const standsInFor = form.role === 'deputy' ? numberOf(form.standsInFor) : null
  const isComplete = user !== null && (form.role !== 'deputy' || standsInFor !== null)
  const give = async (proof: Proof) => {
    if (user === null) return
    const { role, groupId: group_id, from, until } = form
    const input = { user_id: user, role, group_id, from, until: until || null, stands_in_for: standsInFor }
    refuseRejected(await calls.putRoles([input], proof))
    onClose()
    await onDone()
  }
  return (
    <ProofForm action={t('team.roles.give')} act={give} onCancel={onClose} isComplete={isComplete}>
      {() => (
        <Stack>
          {noPeople && <Text role="alert">{noPeople}</Text>}
          <SearchSelect
            label={t('team.roles.person')}
            data={options}
            value={form.user}
            onChange={(chosen) => change({ user: chosen })}
          />
          <Radio.Group label={t('team.roles.role')} value={form.role} onChange={(role) => change({ role })}>
            <Stack gap="sm" mt="xs">
              {teamRoles.map((role) => (
                <Radio
                  key={role}
                  value={role}
                  label={t(`team.role.${role}.name`)}
                  description={t(`team.role.${role}.may`)}
                />
              ))}
            </Stack>
          </Radio.Group>
          {form.role === 'deputy' && (
            <SearchSelect
              label={t('team.roles.standsInFor')}
              data={options.filter(({ value }) => value !== form.user)}
              value={form.standsInFor}
              onChange={(standsInFor) => change({ standsInFor })}
            />
          )}
          {groups.length > 1 && (
            <Select
              label={t('team.roles.group')}
              description={t('team.roles.groupHelp')}
              data={groups.map(({ id, name }) => ({ value: String(id), label: name }))}
              value={String(form.groupId)}
              allowDeselect={false}
              onChange={(value) => change({ groupId: Number(value) })}
            />
          )}
          <DateInput label={t('team.roles.first')} value={form.from} onChange={(from) => change({ from })} />
          <DateInput
            label={t('team.roles.last')}
            description={t('team.roles.lastHelp')}
            min={form.from}
            value={form.until}
            onChange={(until) => change({ until })}
            onEmpty={() => change({ until: '' })}
          />
          <Text size="sm" c="dimmed">
            {t('team.roles.effect')}
          </Text>
        </Stack>
      )}
    </ProofForm>
  )
}
