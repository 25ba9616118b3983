import { Checkbox, Text } from '@mantine/core'
import { useFormat } from '../../../context/FormatProvider.tsx'
import { useTranslation } from '../../../i18n/translation.ts'
import { DateInput } from '../../../ui/DateInput.tsx'
import { DurationInput } from '../../../ui/NumberInputs.tsx'
import { TimeInput } from '../../TimeInput.tsx'
import { type EntryFormProblem, type EntryValues, endDateShown, withTimes } from './entry-form.ts'
import classes from './TimeFields.module.css'

interface Props {
  form: EntryValues
  hasBreak: boolean
  /** True if the start has the focus first. */
  isFirst: boolean
  problem: EntryFormProblem | undefined
  onChange: (changed: Partial<EntryValues>) => void
}

function isOfTimes(problem: EntryFormProblem | undefined): problem is Exclude<EntryFormProblem, 'break' | 'farDate'> {
  return problem !== undefined && problem !== 'break' && problem !== 'farDate'
}

/** The date of an entry, and its start, end and break in one row. An earlier end is on the next day. */
export function TimeFields({ form, hasBreak, isFirst, problem, onChange }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const endDate = endDateShown(form)
  const change = (changed: Partial<EntryValues>) => onChange(withTimes(form, changed))
  return (
    <>
      <DateInput
        label={t('entries.editor.date')}
        required
        error={problem === 'farDate' && t('entries.editor.problem.farDate')}
        value={form.date}
        onChange={(date) => change({ date })}
      />
      <div className={classes.times}>
        <TimeInput
          label={t('entries.editor.start')}
          data-autofocus={isFirst || undefined}
          required
          value={form.start}
          onChange={(start) => change({ start })}
        />
        {!form.isRunning && (
          <TimeInput
            label={t('entries.editor.end')}
            required
            error={isOfTimes(problem) && t(`entries.editor.problem.${problem}`)}
            value={form.end}
            start={form.start}
            onChange={(end) => change({ end })}
          />
        )}
        {hasBreak && !form.isRunning && form.kind === 'work' && (
          <DurationInput
            label={t('entries.editor.break')}
            error={problem === 'break' && t('entries.editor.problem.break')}
            bare="break"
            valueMs={form.breakMs}
            onChangeMs={(breakMs) => onChange({ breakMs })}
          />
        )}
      </div>
      {endDate === 'note' && (
        <Text size="sm" c="dimmed" role="status">
          {t('entries.editor.endsOn', { date: format.date(form.endDate, 'short') })}
        </Text>
      )}
      {endDate === 'field' && (
        <DateInput
          label={t('entries.editor.endDate')}
          value={form.endDate}
          onChange={(endDate) => onChange({ endDate })}
        />
      )}
      <Checkbox
        label={t('entries.editor.running')}
        checked={form.isRunning}
        onChange={(event) => onChange({ isRunning: event.currentTarget.checked })}
      />
    </>
  )
}
