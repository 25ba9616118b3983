import { Select, SimpleGrid, Text } from '@mantine/core'
import type { HolidayRule } from '@saldo/core'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../context/FormatProvider.tsx'
import { HolidayPlaceField } from '../../domain/holidays/HolidayPlaceField.tsx'
import classes from './SettingsForm.module.css'

interface Props {
  value: HolidayRule | null
  onChange: (rule: HolidayRule | null) => void
}

/** The days on which many employers give half a day or a whole one. */
const usualDays = ['12-24', '12-31'] as const
const shares = { working: 0, half: 0.5, free: 1 } as const
const choices = ['usual', 'working', 'half', 'free'] as const

/** Chooses whose public holidays there are, and how much of the last days of December is free. */
export function HolidaysField({ value, onChange }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const choose = (day: string, choice: string | null) => {
    if (!value) return
    const { [day]: _before, ...others } = value.partial
    const share = shares[choice as keyof typeof shares]
    onChange({ ...value, partial: share === undefined ? others : { ...others, [day]: share } })
  }
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
            const share = value.partial[day]
            const choice = choices.find((name) => name !== 'usual' && shares[name] === share)
            const isOther = share !== undefined && choice === undefined
            return (
              <Select
                key={day}
                label={format.date(`2000-${day}`, 'dayAndMonth')}
                allowDeselect={false}
                data={[
                  ...choices.map((name) => ({ value: name, label: t(`schedule.holidays.day.${name}`) })),
                  ...(isOther ? [{ value: 'other', label: format.percent(share) }] : []),
                ]}
                value={choice ?? (isOther ? 'other' : 'usual')}
                onChange={(chosen) => chosen !== 'other' && choose(day, chosen)}
              />
            )
          })}
        </SimpleGrid>
      )}
    </fieldset>
  )
}
