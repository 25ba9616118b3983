import { Select, SimpleGrid, Text } from '@mantine/core'
import type { HolidayRule } from '@saldo/core'
import { useFormat } from '../../context/FormatProvider.tsx'
import { HolidayPlaceField } from '../../domain/holidays/HolidayPlaceField.tsx'
import { useTranslation } from '../../i18n/translation.ts'
import classes from './SettingsForm.module.css'
import { choiceOf, chooseDay, dayChoices } from './schedule-model.ts'

interface Props {
  value: HolidayRule | null
  onChange: (rule: HolidayRule | null) => void
}

/** The days on which many employers give half a day or a whole one. */
const usualDays = ['12-24', '12-31'] as const

/** Chooses whose public holidays there are, and how much of the last days of December is free. */
export function HolidaysField({ value, onChange }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <fieldset className={classes.span}>
      <legend>{t('schedule.holidays.label')}</legend>
      <Text size="sm" c="dimmed" mb="xs">
        {t('schedule.holidays.help')}
      </Text>
      <HolidayPlaceField value={value} onChange={onChange} />
      {value && (
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm" mt="xs">
          {usualDays.map((day) => {
            const choice = choiceOf(value, day)
            return (
              <Select
                key={day}
                label={format.date(`2000-${day}`, 'dayAndMonth')}
                allowDeselect={false}
                data={[
                  ...dayChoices.map((name) => ({ value: name, label: t(`schedule.holidays.day.${name}`) })),
                  ...(choice === 'other' ? [{ value: 'other', label: format.percent(value.partial[day] ?? 0) }] : []),
                ]}
                value={choice}
                onChange={(chosen) => {
                  const name = dayChoices.find((each) => each === chosen)
                  if (name) onChange(chooseDay(value, day, name))
                }}
              />
            )
          })}
        </SimpleGrid>
      )}
    </fieldset>
  )
}
