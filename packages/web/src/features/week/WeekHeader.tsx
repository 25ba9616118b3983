import { addDays, datesOfWeek, type IsoWeek, type LocalDate, mondayOf, weekOf } from '@saldo/core'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../context/FormatProvider.tsx'
import { useRotationText } from '../../domain/work-hours/useRotationText.ts'
import { IconLock } from '../../ui/icons.ts'
import { PeriodHeader } from '../../ui/PeriodHeader.tsx'
import classes from './WeekHeader.module.css'

interface Props {
  week: IsoWeek
  thisWeek: IsoWeek
  isClosed: boolean
}

export function WeekHeader({ week, thisWeek, isClosed }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const dates = datesOfWeek(week)
  const rotation = useRotationText(dates[6] as LocalDate)
  const pathOf = (weeks: number) => {
    const other = weekOf(addDays(mondayOf(week), weeks * 7))
    return other === thisWeek ? '/week' : `/week/${other}`
  }
  return (
    <PeriodHeader
      title={t('week.heading', { number: Number(week.slice(6)) })}
      subtitle={[format.dateRange({ from: dates[0] as LocalDate, to: dates[6] as LocalDate }), rotation]
        .filter(Boolean)
        .join(' · ')}
      state={
        isClosed && (
          <span className={classes.closed}>
            <IconLock size={16} aria-hidden />
            {t('week.closed')}
          </span>
        )
      }
      before={{ href: pathOf(-1), label: t('week.before') }}
      after={{ href: pathOf(1), label: t('week.after') }}
      now={{ href: '/week', label: t('week.toThisWeek'), isShown: week === thisWeek }}
    />
  )
}
