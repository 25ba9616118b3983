import { Group, SegmentedControl, Select, Stack, Switch, Text, Textarea } from '@mantine/core'
import { systemRandom } from '@saldo/client'
import {
  absenceKinds,
  adjustmentKinds,
  instantOf,
  type LocalDate,
  MAX_VACATION_DAYS,
  type RecordId,
  timedEntryKinds,
} from '@saldo/core'
import { clock } from '../../../context/clock.ts'
import { MAX_ADJUSTMENT_MS } from '../../../domain/account/account-model.ts'
import { isTimedKind } from '../../../domain/entries/editor/entry-form.ts'
import { TimeFields } from '../../../domain/entries/editor/TimeFields.tsx'
import { SizeChoice } from '../../../domain/entries/SizeChoice.tsx'
import { useTeamCalls } from '../../../domain/team/useTeamAnswer.ts'
import { RotationHours } from '../../../domain/work-hours/RotationHours.tsx'
import { useTranslation } from '../../../i18n/translation.ts'
import { DateInput } from '../../../ui/DateInput.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { FormFooter } from '../../../ui/FormFooter.tsx'
import { useAttempt } from '../../../ui/feedback/useAttempt.ts'
import { ProblemText } from '../../../ui/Notice.tsx'
import { DecimalInput, DurationInput } from '../../../ui/NumberInputs.tsx'
import { useCheckedForm } from '../../../ui/useForm.ts'
import {
  changeOfForm,
  deletionOf,
  type HrForm,
  type HrProblem,
  hrFormOf,
  isEntrySubject,
  type MemberRecord,
  type MemberSettings,
  type Subject,
} from './change-model.ts'

/** The fewest characters of a reason (D28.1). */
const LEAST_REASON = 10

interface Props {
  user: number
  name: string
  record: MemberRecord | undefined
  settings: MemberSettings
  /** The date of a new record. */
  date: LocalDate
  /** True if the policy lets HR make changes without an answer. */
  mayApply: boolean
  onDone: () => Promise<void>
  onClose: () => void
}

/** Proposes a change of a member's record, a new one or a deletion, with the reason that they read (D28.1). */
export function ChangeDialog(props: Props) {
  const { t } = useTranslation()
  return (
    <Dialog isForm title={t('team.person.proposeTo', { name: props.name })} onClose={props.onClose}>
      <ChangeForm {...props} />
    </Dialog>
  )
}

function ChangeForm({ user, record, settings, date, mayApply, onDone, onClose }: Props) {
  const { t } = useTranslation()
  const calls = useTeamCalls()
  const { isBusy, failure, attempt } = useAttempt()
  const { form, problem, change, fail } = useCheckedForm<HrForm & { apply: boolean; id: RecordId }, HrProblem>(() => {
    return { ...hrFormOf(record, settings, date), apply: false, id: systemRandom.uuid() }
  })
  const { apply, id, reason } = form
  const send = async (changes: object[]) => {
    const asked = { id, reason: reason.trim(), changes, apply }
    if (!(await attempt(calls.proposeTo(user, asked)))) return
    onClose()
    await onDone()
  }
  const now = () => instantOf(clock.now())
  const save = async () => {
    const wanted = changeOfForm(form, { edited: record, settings, id: systemRandom.uuid(), at: now() })
    if (wanted.ok) await send([wanted.change])
    else fail(wanted.problem)
  }
  const hasReason = reason.trim().length >= LEAST_REASON
  return (
    <Stack>
      <SubjectSelect subject={form.subject} record={record} onChange={(subject) => change({ subject })} />
      <Fields form={form} problem={problem} onChange={change} />
      <Textarea
        label={t('team.inbox.reason')}
        description={t('team.board.reasonHelp', { count: LEAST_REASON })}
        maxLength={1_000}
        autosize
        minRows={2}
        value={reason}
        onChange={(event) => change({ reason: event.currentTarget.value })}
      />
      {mayApply && (
        <Switch
          label={t('team.person.apply')}
          description={t('team.person.applyHelp')}
          checked={apply}
          onChange={(event) => change({ apply: event.currentTarget.checked })}
        />
      )}
      {failure && <ProblemText>{failure}</ProblemText>}
      <FormFooter
        action={t(apply ? 'team.person.make' : 'team.person.propose')}
        disabled={!hasReason}
        loading={isBusy}
        onAction={save}
        onDelete={record && hasReason ? () => void send([deletionOf(record, now())]) : undefined}
        onCancel={onClose}
      />
    </Stack>
  )
}

interface SubjectProps {
  subject: Subject
  record: MemberRecord | undefined
  onChange: (subject: Subject) => void
}

/** Chooses what is new; an entry can become one of another kind. */
function SubjectSelect({ subject, record, onChange }: SubjectProps) {
  const { t } = useTranslation()
  if (record && !isEntrySubject(subject)) return null
  const entries = [timedEntryKinds, absenceKinds].map((kinds, index) => ({
    group: t(index === 0 ? 'entries.editor.timed' : 'entries.editor.absences'),
    items: kinds.map((kind): { value: Subject; label: string } => ({ value: kind, label: t(`entries.kind.${kind}`) })),
  }))
  const others = {
    group: t('team.person.account'),
    items: (['vacation_grant', 'balance_adjustments', 'settings_history'] as const).map(
      (value): { value: Subject; label: string } => ({ value, label: t(`team.person.subject.${value}`) }),
    ),
  }
  return (
    <Select
      label={t('entries.editor.kind')}
      data={record ? entries : [...entries, others]}
      value={subject}
      allowDeselect={false}
      data-autofocus
      onChange={(chosen) => chosen && onChange(chosen)}
    />
  )
}

interface FieldsProps {
  form: HrForm
  problem: HrProblem | undefined
  onChange: (changed: Partial<HrForm>) => void
}

function Fields({ form, problem, onChange }: FieldsProps) {
  const { t } = useTranslation()
  const { subject, entry, date, days, targetMs } = form
  const entryProblem = problem === 'amount' || problem === 'noHours' ? undefined : problem
  if (isEntrySubject(subject)) {
    const changeEntry = (changed: Partial<typeof entry>) => onChange({ entry: { ...entry, ...changed } })
    if (isTimedKind(subject)) {
      return <TimeFields form={entry} hasBreak={false} isFirst={false} problem={entryProblem} onChange={changeEntry} />
    }
    return (
      <>
        <DateInput
          label={t('entries.editor.date')}
          required
          value={entry.date}
          onChange={(day) => changeEntry({ date: day })}
        />
        <SizeChoice value={entry.size} onChange={(size) => changeEntry({ size })} />
      </>
    )
  }
  const dateInput = (
    <DateInput
      label={t(subject === 'settings_history' ? 'team.person.from' : 'entries.editor.date')}
      required
      error={problem === 'noHours' && t('team.person.noHours')}
      value={date}
      onChange={(day) => onChange({ date: day })}
    />
  )
  switch (subject) {
    case 'vacation_grant':
      return (
        <>
          {dateInput}
          <DecimalInput
            label={t('team.person.days')}
            description={t('team.person.daysHelp')}
            value={days}
            min={-MAX_VACATION_DAYS}
            max={MAX_VACATION_DAYS}
            onChangeNumber={(number) => onChange({ days: number })}
          />
        </>
      )
    case 'balance_adjustments':
      return (
        <>
          {dateInput}
          <AdjustmentFields form={form} problem={problem} onChange={onChange} />
        </>
      )
    case 'settings_history':
      return (
        <>
          {dateInput}
          <RotationHours
            label={t('team.person.subject.settings_history')}
            targetMs={targetMs}
            from={date}
            onChange={(hours) => onChange({ targetMs: hours })}
          />
          <Text size="sm" c="dimmed">
            {t('team.person.hoursHelp')}
          </Text>
        </>
      )
  }
}

function AdjustmentFields({ form: { adjustment }, problem, onChange }: FieldsProps) {
  const { t } = useTranslation()
  const { kind, isDeduction, amountMs } = adjustment
  const change = (changed: Partial<typeof adjustment>) => onChange({ adjustment: { ...adjustment, ...changed } })
  return (
    <>
      <Select
        label={t('account.editor.kind')}
        data={adjustmentKinds.map((each) => ({ value: each, label: t(`account.kind.${each}`) }))}
        value={kind}
        allowDeselect={false}
        onChange={(chosen) => chosen && change({ kind: chosen })}
      />
      <Group align="flex-end" gap="sm">
        <SegmentedControl
          aria-label={t('account.editor.direction')}
          value={isDeduction ? 'deducts' : 'adds'}
          onChange={(value) => change({ isDeduction: value === 'deducts' })}
          data={[
            { value: 'adds', label: t('account.editor.adds') },
            { value: 'deducts', label: t('account.editor.deducts') },
          ]}
        />
        <DurationInput
          label={t('account.editor.hours')}
          error={problem === 'amount' && t('account.editor.problem.amount')}
          maxMs={MAX_ADJUSTMENT_MS}
          valueMs={amountMs}
          onChangeMs={(ms) => change({ amountMs: ms })}
        />
      </Group>
    </>
  )
}
