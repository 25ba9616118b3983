import { Group, Select, Text } from '@mantine/core'
import { hintCountries, type SettingsContent } from '@saldo/core'
import { TimeInput } from '../../domain/TimeInput.tsx'
import { useTranslation } from '../../i18n/translation.ts'
import classes from './SettingsForm.module.css'
import { type FormSpan, formSpanOf, isFilledSpan } from './schedule-model.ts'

type Hints = Pick<SettingsContent, 'hints' | 'core_time' | 'frame'>

interface Props {
  value: Hints
  onChange: (changed: Partial<Hints>) => void
}

/** Chooses whose working-time law has hints, and sets core time and frame. */
export function HintsField({ value, onChange }: Props) {
  const { t } = useTranslation()
  const countries = hintCountries.map((country) => ({ value: country, label: t(`workHours.breaks.${country}.name`) }))
  return (
    <div className={classes.fields}>
      <Select
        label={t('schedule.hints.label')}
        description={t('schedule.hints.help')}
        className={classes.short}
        allowDeselect={false}
        data={[{ value: '', label: t('schedule.hints.none') }, ...countries]}
        value={value.hints ?? ''}
        onChange={(chosen) => onChange({ hints: hintCountries.find((country) => country === chosen) ?? null })}
      />
      {(['core_time', 'frame'] as const).map((name) => (
        <SpanField key={name} name={name} value={value[name]} onChange={(span) => onChange({ [name]: span })} />
      ))}
    </div>
  )
}

function SpanField({
  name,
  value,
  onChange,
}: {
  name: 'core_time' | 'frame'
  value: FormSpan
  onChange: (span: FormSpan) => void
}) {
  const { t } = useTranslation()
  const label = t(`schedule.hints.${name}.label`)
  const span = value ?? { from: '', to: '' }
  const problem = !isFilledSpan(value) && t('schedule.hints.problem')
  const change = (changed: Partial<NonNullable<FormSpan>>) => onChange(formSpanOf({ ...span, ...changed }))
  return (
    <fieldset className={classes.span}>
      <legend>{label}</legend>
      <Text size="sm" c="dimmed">
        {t(`schedule.hints.${name}.help`)}
      </Text>
      <Group grow className={classes.short}>
        <TimeInput label={t('schedule.hints.from')} value={span.from} onChange={(from) => change({ from })} />
        <TimeInput
          label={t('schedule.hints.to')}
          value={span.to}
          start={span.from}
          error={problem}
          onChange={(to) => change({ to })}
        />
      </Group>
    </fieldset>
  )
}
