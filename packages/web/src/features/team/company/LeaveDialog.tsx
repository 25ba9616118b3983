import { Group, MultiSelect, Select, Stack, Text } from '@mantine/core'
import { systemRandom } from '@saldo/client'
import {
  type CompanyLeave,
  chosenAbsenceKinds,
  type GroupRow,
  type LeaveResult,
  type MemberRow,
  type UserNumber,
} from '@saldo/core'
import { useState } from 'react'
import { useFormat } from '../../../context/FormatProvider.tsx'
import { useToday } from '../../../domain/account/TimelineProvider.tsx'
import { useTeamCalls } from '../../../domain/team/useTeamAnswer.ts'
import { useTranslation } from '../../../i18n/translation.ts'
import { DateInput } from '../../../ui/DateInput.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { FormFooter } from '../../../ui/FormFooter.tsx'
import { useAttempt } from '../../../ui/feedback/useAttempt.ts'
import { ProblemText } from '../../../ui/Notice.tsx'
import { useForm } from '../../../ui/useForm.ts'
import { inHundreds } from '../in-hundreds.ts'
import classes from './CompanyView.module.css'
import { membersIn, summaryOfLeave } from './leave-model.ts'

interface Props {
  groups: readonly GroupRow[]
  people: readonly MemberRow[]
  onDone: () => Promise<void>
  onClose: () => void
}

/** Writes company leave for the members of a group, after a list of whose days it takes and leaves out (D28.7). */
export function LeaveDialog(props: Props) {
  const { t } = useTranslation()
  return (
    <Dialog title={t('team.leave.add')} onClose={props.onClose} isForm size="lg">
      <LeaveForm {...props} />
    </Dialog>
  )
}

interface LeaveFormValues extends Omit<CompanyLeave, 'users'> {
  groupId: number
  leftOut: UserNumber[]
}

function LeaveForm({ groups, people, onDone, onClose }: Props) {
  const { t } = useTranslation()
  const calls = useTeamCalls()
  const today = useToday()
  const { isBusy, failure, attempt } = useAttempt()
  const company = groups.find(({ parent_id }) => parent_id === null)
  const [form, change] = useForm<LeaveFormValues>(() => {
    const first = { id: systemRandom.uuid(), kind: 'vacation' as const, from: today, to: today }
    return { ...first, groupId: company?.id ?? 0, leftOut: [] }
  })
  const [preview, setPreview] = useState<LeaveResult[]>()
  const edit = (changed: Partial<LeaveFormValues>) => {
    change(changed)
    setPreview(undefined)
  }
  const members = membersIn(people, groups, form.groupId)
  const users = members.map(({ user_id }) => user_id).filter((user) => !form.leftOut.includes(user))
  const leaveOf = (some: UserNumber[]): CompanyLeave => {
    const { id, kind, from, to } = form
    return { id, kind, from, to, users: some }
  }
  const look = () => attempt(inHundreds(users, (some) => calls.previewLeave(leaveOf(some))).then(setPreview))
  const takers = summaryOfLeave(preview ?? []).people
  const write = async () => {
    if (!(await attempt(inHundreds(takers, (some) => calls.writeLeave(leaveOf(some)))))) return
    onClose()
    await onDone()
  }
  return (
    <Stack>
      <Select
        label={t('team.leave.kind')}
        data={chosenAbsenceKinds.map((kind) => ({ value: kind, label: t(`entries.kind.${kind}`) }))}
        value={form.kind}
        allowDeselect={false}
        onChange={(kind) => kind && edit({ kind })}
      />
      <Group grow preventGrowOverflow={false}>
        <DateInput
          label={t('team.leave.from')}
          data-autofocus
          value={form.from}
          onChange={(from) => edit({ from, ...(form.to < from && { to: from }) })}
        />
        <DateInput label={t('team.leave.to')} min={form.from} value={form.to} onChange={(to) => edit({ to })} />
      </Group>
      {groups.length > 1 && (
        <Select
          label={t('team.leave.group')}
          data={groups.map(({ id, name }) => ({ value: String(id), label: name }))}
          value={String(form.groupId)}
          allowDeselect={false}
          onChange={(value) => edit({ groupId: Number(value) })}
        />
      )}
      <MultiSelect
        label={t('team.leave.leftOut')}
        description={t('team.leave.leftOutHelp')}
        searchable
        nothingFoundMessage={t('team.people.none')}
        data={members.map(({ user_id, name, email }) => ({ value: String(user_id), label: name || email }))}
        value={form.leftOut.map(String)}
        onChange={(chosen) =>
          edit({ leftOut: members.map(({ user_id }) => user_id).filter((user) => chosen.includes(String(user))) })
        }
      />
      {failure && <ProblemText>{failure}</ProblemText>}
      <div role="status">{preview && <Preview results={preview} people={people} />}</div>
      <FormFooter
        action={preview ? t('team.leave.write', { count: takers.length }) : t('team.leave.preview')}
        disabled={preview ? takers.length === 0 : users.length === 0}
        loading={isBusy}
        onAction={preview ? write : look}
        onCancel={onClose}
      />
    </Stack>
  )
}

function Preview({ results, people }: { results: readonly LeaveResult[]; people: readonly MemberRow[] }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { days, people: takers, partly, nobody } = summaryOfLeave(results)
  const names = new Map(people.map(({ user_id, name, email }) => [user_id, name || email]))
  const shortDates = (dates: LeaveResult['left_out']) => format.list(dates.map((date) => format.date(date, 'short')))
  return (
    <>
      <Text fw={600}>
        {t('team.leave.takes', { count: days, people: t('team.leave.people', { count: takers.length }) })}
      </Text>
      <ul className={classes.preview}>
        {partly.map(({ user_id, left_out }) => (
          <li key={user_id}>
            {t('team.leave.partly', { name: names.get(user_id) ?? '', dates: shortDates(left_out) })}
          </li>
        ))}
        {nobody.map(({ user_id, left_out, refusal }) => (
          <li key={user_id}>
            {left_out.length > 0
              ? t('team.leave.allLeftOut', { name: names.get(user_id) ?? '', dates: shortDates(left_out) })
              : t('team.leave.noDays', { name: names.get(user_id) ?? '' })}{' '}
            {refusal && t(`team.leave.refusal.${refusal}`)}
          </li>
        ))}
      </ul>
    </>
  )
}
