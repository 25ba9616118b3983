import { Select } from '@mantine/core'
import { addDays } from '@saldo/core'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../context/FormatProvider.tsx'
import { useWeekStart } from './useWeekStart.ts'

const SOME_MONDAY = '2026-01-05'
const weekdays = [1, 2, 3, 4, 5, 6, 7] as const

/** The first weekday of calendars. It belongs to the account, so all devices have the same. */
export function WeekStart() {
  const { t } = useTranslation()
  const format = useFormat()
  const { weekday, choose } = useWeekStart()
  if (weekday === undefined) return null
  return (
    <Select
      label={t('settings.look.weekStart')}
      description={t('settings.look.weekStartHelp')}
      data={weekdays.map((day) => ({
        value: String(day),
        label: format.date(addDays(SOME_MONDAY, day - 1), 'weekday'),
      }))}
      value={String(weekday)}
      allowDeselect={false}
      onChange={(chosen) => chosen && choose(Number(chosen))}
    />
  )
}
