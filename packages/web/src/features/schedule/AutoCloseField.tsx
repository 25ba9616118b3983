import { Group, Switch } from '@mantine/core'
import { HOUR_MS, type SettingsContent } from '@saldo/core'
import { usualAutoClose } from '../../domain/work-hours/work-hours-model.ts'
import { useTranslation } from '../../i18n/translation.ts'
import { DecimalInput } from '../../ui/NumberInputs.tsx'
import classes from './SettingsForm.module.css'

type AutoClose = SettingsContent['auto_close']

const MAX_DAYS = 366

interface Props {
  value: AutoClose
  onChange: (autoClose: AutoClose) => void
}

/** Switches auto-close on and sets its delays. */
export function AutoCloseField({ value, onChange }: Props) {
  const { t } = useTranslation()
  return (
    <div className={classes.fields}>
      <Switch
        label={t('schedule.autoClose.label')}
        description={t('schedule.autoClose.help')}
        checked={value !== null}
        onChange={(event) => onChange(event.currentTarget.checked ? usualAutoClose : null)}
      />
      {value && (
        <Group grow align="end">
          <DecimalInput
            label={t('schedule.autoClose.day')}
            suffix={t('schedule.autoClose.hours')}
            min={0}
            max={MAX_DAYS * 24}
            decimals={1}
            value={value.day_after_ms / HOUR_MS}
            onChangeNumber={(hours) => onChange({ ...value, day_after_ms: Math.round(hours * HOUR_MS) })}
          />
          <DecimalInput
            label={t('schedule.autoClose.week')}
            suffix={t('schedule.autoClose.days')}
            min={0}
            max={MAX_DAYS}
            decimals={0}
            value={value.week_after_days}
            onChangeNumber={(week_after_days) => onChange({ ...value, week_after_days })}
          />
        </Group>
      )}
    </div>
  )
}
