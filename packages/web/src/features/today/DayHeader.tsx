import { addDays, type LocalDate } from '@saldo/core'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../context/FormatProvider.tsx'
import { PeriodHeader } from '../../ui/PeriodHeader.tsx'

export function DayHeader({ date, today }: { date: LocalDate; today: LocalDate }) {
  const { t } = useTranslation()
  const format = useFormat()
  const pathOf = (other: string) => (other === today ? '/' : `/day/${other}`)
  return (
    <PeriodHeader
      title={format.date(date, 'day')}
      before={{ href: pathOf(addDays(date, -1)), label: t('today.before') }}
      after={{ href: pathOf(addDays(date, 1)), label: t('today.after') }}
      now={{ href: '/', label: t('today.toToday'), isShown: date === today }}
    />
  )
}
