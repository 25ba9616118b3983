import { Select, Stack, Switch, TextInput } from '@mantine/core'
import type { GroupInput, GroupRow } from '@saldo/core'
import { useByName } from '../../../domain/team/useByName.ts'
import { useTeamCalls } from '../../../domain/team/useTeamAnswer.ts'
import { useTranslation } from '../../../i18n/translation.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { FormFooter } from '../../../ui/FormFooter.tsx'
import { useAttempt } from '../../../ui/feedback/useAttempt.ts'
import { ProblemText } from '../../../ui/Notice.tsx'
import { DecimalInput } from '../../../ui/NumberInputs.tsx'
import { useForm } from '../../../ui/useForm.ts'
import { DefaultsFields } from './DefaultsFields.tsx'
import { possibleParents } from './groups-model.ts'
import { refuseRejected } from './item-results.ts'

interface Props {
  /** Without one, a new group is added. */
  group: GroupRow | undefined
  groups: readonly GroupRow[]
  onDone: () => Promise<void>
  onClose: () => void
}

/** Adds, renames or moves a group, and sets what its new members start with. */
export function GroupDialog({ group, groups, onDone, onClose }: Props) {
  const { t } = useTranslation()
  return (
    <Dialog
      title={group ? t('team.groups.edit', { name: group.name }) : t('team.groups.add')}
      onClose={onClose}
      isForm
      size="lg"
    >
      <GroupForm group={group} groups={groups} onDone={onDone} onClose={onClose} />
    </Dialog>
  )
}

function GroupForm({ group, groups, onDone, onClose }: Props) {
  const { t } = useTranslation()
  const calls = useTeamCalls()
  const { isBusy, failure, attempt } = useAttempt()
  const company = groups.find(({ parent_id }) => parent_id === null)
  const [form, change] = useForm<GroupInput>(() => ({
    ...(group && { id: group.id }),
    parent_id: group ? group.parent_id : (company?.id ?? null),
    name: group?.name ?? '',
    sees_members: group?.sees_members ?? true,
    least_present: group?.least_present ?? null,
    defaults: group?.defaults ?? null,
  }))
  const save = async () => {
    if (!(await attempt(calls.putGroups([form]).then(refuseRejected)))) return
    onClose()
    await onDone()
  }
  const parents = possibleParents(groups, group, useByName())
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <Stack>
        <TextInput
          label={t('team.groups.name')}
          required
          data-autofocus
          maxLength={200}
          value={form.name}
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
        {form.parent_id !== null && (
          <Select
            label={t('team.groups.parent')}
            data={parents.map(({ group: { id, name }, level }) => ({
              value: String(id),
              label: `${'– '.repeat(level)}${name}`,
            }))}
            value={String(form.parent_id)}
            allowDeselect={false}
            onChange={(value) => change({ parent_id: Number(value) })}
          />
        )}
        <Switch
          label={t('team.groups.seesMembers')}
          description={t('team.groups.seesMembersHelp')}
          checked={form.sees_members}
          onChange={(event) => change({ sees_members: event.currentTarget.checked })}
        />
        <DecimalInput
          label={t('team.groups.leastPresent')}
          description={t('team.groups.leastPresentHelp')}
          min={0}
          max={10_000}
          decimals={0}
          value={form.least_present}
          onChangeNumber={(least_present) => change({ least_present })}
          onEmpty={() => change({ least_present: null })}
        />
        <DefaultsFields value={form.defaults} onChange={(defaults) => change({ defaults })} />
        {failure && <ProblemText>{failure}</ProblemText>}
        <FormFooter disabled={form.name.trim() === ''} loading={isBusy} onCancel={onClose} />
      </Stack>
    </form>
  )
}
