import { Group, Select, Switch, Text } from '@mantine/core'
import type { SettingsPreview } from '@saldo/client'
import { dateOfMonthDay, type SettingsContent } from '@saldo/core'
import { useFormat } from '../../context/FormatProvider.tsx'
import { useTranslation } from '../../i18n/translation.ts'
import { DecimalInput } from '../../ui/NumberInputs.tsx'
import classes from './SettingsForm.module.css'
import { daysToChoose } from './schedule-model.ts'

type Vacation = SettingsContent['vacation']

/** Full time in most German contracts; carried days expire as in § 7 (3) BUrlG. */
const usualVacation: NonNullable<Vacation> = { days_per_year: 30, carry_over_until: '03-31' }
const MAX_DAYS = 366

interface Props {
  value: Vacation
  onChange: (vacation: Vacation) => void
}

/** Switches the vacation account on, and sets the days of a year and until when carried days can be taken. */
export function VacationField({ value, onChange }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const until = value?.carry_over_until ?? null
  return (
    <div className={classes.fields}>
      <Switch
        label={t('schedule.vacation.label')}
        description={t('schedule.vacation.help')}
        checked={value !== null}
        onChange={(event) => onChange(event.currentTarget.checked ? usualVacation : null)}
      />
      {value && (
        <Group grow align="end">
          <DecimalInput
            label={t('schedule.vacation.days')}
            min={0}
            max={MAX_DAYS}
            value={value.days_per_year}
            onChangeNumber={(days_per_year) => onChange({ ...value, days_per_year })}
          />
          <Select
            label={t('schedule.vacation.until')}
            allowDeselect={false}
            data={[
              { value: '', label: t('schedule.vacation.never') },
              ...daysToChoose(until === null ? [] : [until]).map((date) => ({
                value: date,
                label: format.date(dateOfMonthDay(date), 'dayAndMonth'),
              })),
            ]}
            value={until ?? ''}
            onChange={(date) => onChange({ ...value, carry_over_until: date === '' ? null : date })}
          />
        </Group>
      )}
    </div>
  )
}

/** Says how a change of the settings alters the vacation account; nothing if it stays as it is. */
export function VacationChange({ preview }: { preview: SettingsPreview | undefined }) {
  const { t } = useTranslation()
  const format = useFormat()
  if (!preview?.vacation) return null
  const { year, before, after } = preview.vacation
  const days = (number = 0) => format.number(number)
  const [entitledBefore, entitled] = [days(before?.entitled), days(after?.entitled)]
  const isEntitlementSame = entitledBefore === entitled
  return (
    <Text>
      {t(isEntitlementSame ? 'schedule.vacation.leftChanges' : 'schedule.vacation.changes', {
        year: String(year),
        entitledBefore,
        entitled,
        leftBefore: days(before?.left),
        left: days(after?.left),
      })}
    </Text>
  )
}
