import { Group, MultiSelect, Switch } from '@mantine/core'
import { type BalanceLimits, dateOfMonthDay, MAX_LIMIT_MS, MAX_PERIOD_ENDS } from '@saldo/core'
import { useFormat } from '../../context/FormatProvider.tsx'
import { useTranslation } from '../../i18n/translation.ts'
import { DurationInput } from '../../ui/NumberInputs.tsx'
import classes from './SettingsForm.module.css'
import { daysToChoose, usualLimits, withExpiry } from './schedule-model.ts'

interface Props {
  value: BalanceLimits | null
  onChange: (limits: BalanceLimits | null) => void
}

/** Switches the ranges of the balance on, and sets them and what may be kept at the end of a period. */
export function LimitsField({ value, onChange }: Props) {
  const { t } = useTranslation()
  const keepAtMostMs = value?.keep_at_most_ms ?? null
  return (
    <div className={classes.fields}>
      <Switch
        label={t('schedule.limits.label')}
        description={t('schedule.limits.help')}
        checked={value !== null}
        onChange={(event) => onChange(event.currentTarget.checked ? usualLimits : null)}
      />
      {value && (
        <>
          <Group grow align="start">
            <DurationInput
              label={t('schedule.limits.green')}
              leftSection="±"
              maxMs={MAX_LIMIT_MS}
              valueMs={value.green_ms}
              onChangeMs={(green_ms) => onChange({ ...value, green_ms })}
            />
            <DurationInput
              label={t('schedule.limits.yellow')}
              leftSection="±"
              maxMs={MAX_LIMIT_MS}
              error={value.yellow_ms < value.green_ms && t('schedule.limits.problem')}
              valueMs={value.yellow_ms}
              onChangeMs={(yellow_ms) => onChange({ ...value, yellow_ms })}
            />
          </Group>
          <Switch
            label={t('schedule.limits.expiry')}
            description={t('schedule.limits.expiryHelp')}
            checked={keepAtMostMs !== null}
            onChange={(event) => onChange(withExpiry(value, event.currentTarget.checked))}
          />
          {keepAtMostMs !== null && (
            <Group grow align="start">
              <PeriodEnds value={value.period_ends} onChange={(period_ends) => onChange({ ...value, period_ends })} />
              <DurationInput
                label={t('schedule.limits.keep')}
                maxMs={MAX_LIMIT_MS}
                valueMs={keepAtMostMs}
                onChangeMs={(keep_at_most_ms) => onChange({ ...value, keep_at_most_ms })}
              />
            </Group>
          )}
        </>
      )}
    </div>
  )
}

/** Selects the days of the year on which periods end. */
function PeriodEnds({ value, onChange }: { value: string[]; onChange: (ends: string[]) => void }) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <MultiSelect
      label={t('schedule.limits.ends')}
      maxValues={MAX_PERIOD_ENDS}
      data={daysToChoose(value).map((day) => ({ value: day, label: format.date(dateOfMonthDay(day), 'dayAndMonth') }))}
      value={value}
      onChange={(ends) => onChange(ends.toSorted())}
    />
  )
}
