import { addDays, type LocalDate } from '@saldo/core'
import { useFormat } from '../../context/FormatProvider.tsx'
import { useRotationText } from '../../domain/work-hours/work-hours-texts.ts'
import { useTranslation } from '../../i18n/translation.ts'
import { PeriodHeader } from '../../ui/PeriodHeader.tsx'

export function DayHeader({ date, today }: { date: LocalDate; today: LocalDate }) {
  const { t } = useTranslation()
  const format = useFormat()
  const rotation = useRotationText(date)
  const pathOf = (other: string) => (other === today ? '/' : `/day/${other}`)
  return (
    <PeriodHeader
      title={format.date(date, date.slice(0, 4) === today.slice(0, 4) ? 'day' : 'dayAndYear')}
      {...(rotation !== undefined && { subtitle: rotation })}
      before={{ href: pathOf(addDays(date, -1)), label: t('today.before') }}
      after={{ href: pathOf(addDays(date, 1)), label: t('today.after') }}
      now={{ href: '/', label: t('today.toToday'), isShown: date === today }}
    />
  )
}
