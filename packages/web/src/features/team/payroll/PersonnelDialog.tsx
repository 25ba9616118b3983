import { Group, Stack, Text, TextInput } from '@mantine/core'
import { isPayrollCode, type PersonnelInput, type PersonnelRow } from '@saldo/core'
import { useTeamCalls } from '../../../domain/team/useTeamAnswer.ts'
import { useTranslation } from '../../../i18n/translation.ts'
import { DateInput } from '../../../ui/DateInput.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { FormFooter } from '../../../ui/FormFooter.tsx'
import { useAttempt } from '../../../ui/feedback/useAttempt.ts'
import { ProblemText } from '../../../ui/Notice.tsx'
import { useForm } from '../../../ui/useForm.ts'
import { refuseRejected } from '../company/item-results.ts'

interface Props {
  person: PersonnelRow
  onDone: () => Promise<void>
  onClose: () => void
}

/** Changes the personnel data of a person. */
export function PersonnelDialog(props: Props) {
  const { t } = useTranslation()
  const { name, email } = props.person
  return (
    <Dialog title={t('team.payroll.personnel.of', { name: name || email })} onClose={props.onClose} isForm>
      <PersonnelForm {...props} />
    </Dialog>
  )
}

function PersonnelForm({ person, onDone, onClose }: Props) {
  const { t } = useTranslation()
  const calls = useTeamCalls()
  const { isBusy, failure, attempt } = useAttempt()
  const { user_id, number, cost_centre, entry_date, exit_date } = person
  const [form, change] = useForm<PersonnelInput>({ user_id, number, cost_centre, entry_date, exit_date })
  const save = async () => {
    if (!(await attempt(calls.putPersonnel([form]).then(refuseRejected)))) return
    onClose()
    await onDone()
  }
  const isWrong = (code: string) => code !== '' && !isPayrollCode(code)
  const isExitFirst = form.entry_date !== null && form.exit_date !== null && form.exit_date < form.entry_date
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <Stack>
        {(['number', 'cost_centre'] as const).map((field) => (
          <TextInput
            key={field}
            label={t(`team.payroll.personnel.${field}`)}
            data-autofocus={field === 'number' || undefined}
            maxLength={40}
            value={form[field]}
            error={isWrong(form[field]) && t('team.payroll.code')}
            onChange={(event) => change({ [field]: event.currentTarget.value })}
          />
        ))}
        <Group grow preventGrowOverflow={false} align="flex-start">
          {(['entry_date', 'exit_date'] as const).map((field) => (
            <DateInput
              key={field}
              label={t(`team.payroll.personnel.${field}`)}
              value={form[field] ?? ''}
              error={field === 'exit_date' && isExitFirst && t('team.payroll.personnel.exitFirst')}
              onChange={(date) => change({ [field]: date })}
              onEmpty={() => change({ [field]: null })}
            />
          ))}
        </Group>
        <Text size="sm" c="dimmed">
          {t('team.payroll.personnel.reads')}
        </Text>
        {failure && <ProblemText>{failure}</ProblemText>}
        <FormFooter
          disabled={isWrong(form.number) || isWrong(form.cost_centre) || isExitFirst}
          loading={isBusy}
          onCancel={onClose}
        />
      </Stack>
    </form>
  )
}
