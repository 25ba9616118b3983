import type { IsoWeek } from '@saldo/core'
import { useFormat } from '../../context/FormatProvider.tsx'
import { useRotationText } from '../../domain/work-hours/work-hours-texts.ts'
import { useTranslation } from '../../i18n/translation.ts'
import { IconLock } from '../../ui/icons.ts'
import { PeriodHeader } from '../../ui/PeriodHeader.tsx'
import { rangeOfWeek } from './shown-week.ts'
import classes from './WeekHeader.module.css'
import { pathOfWeek } from './week-model.ts'

interface Props {
  week: IsoWeek
  thisWeek: IsoWeek
  isClosed: boolean
}

export function WeekHeader({ week, thisWeek, isClosed }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const range = rangeOfWeek(week)
  const rotation = useRotationText(range.to)
  return (
    <PeriodHeader
      title={t('week.heading', { number: Number(week.slice(6)) })}
      subtitle={[format.dateRange(range), rotation].filter(Boolean).join(' · ')}
      state={
        isClosed && (
          <span className={classes.closed}>
            <IconLock size={16} aria-hidden />
            {t('week.closed')}
          </span>
        )
      }
      before={{ href: pathOfWeek(week, -1, thisWeek), label: t('week.before') }}
      after={{ href: pathOfWeek(week, 1, thisWeek), label: t('week.after') }}
      now={{ href: '/week', label: t('week.toThisWeek'), isShown: week === thisWeek }}
    />
  )
}
