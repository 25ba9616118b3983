import { ActionIcon, SegmentedControl } from '@mantine/core'
import type { LocalDate } from '@saldo/core'
import { Link, useLocation } from 'wouter'
import { useFormat } from '../../context/FormatProvider.tsx'
import { useTranslation } from '../../i18n/translation.ts'
import { IconPrinter } from '../../ui/icons.ts'
import { PeriodHeader } from '../../ui/PeriodHeader.tsx'
import { datesOfPeriod, monthIn, type Period, pathOf, shifted } from './period.ts'

interface Props {
  period: Period
  today: LocalDate
  /** The grid handles the arrow keys that it gets first. */
  hasGrid: boolean
}

export function CalendarHeader({ period, today, hasGrid }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const [, go] = useLocation()
  const isYear = period.month === undefined
  const { from, to } = datesOfPeriod(period)
  return (
    <PeriodHeader
      hasKeys={hasGrid}
      title={isYear ? period.year : format.date(from, 'month')}
      before={{
        href: pathOf(shifted(period, -1)),
        label: t(isYear ? 'calendar.yearBefore' : 'calendar.monthBefore'),
      }}
      after={{ href: pathOf(shifted(period, 1)), label: t(isYear ? 'calendar.yearAfter' : 'calendar.monthAfter') }}
      now={{ href: '/calendar', label: t('calendar.toNow'), isShown: from <= today && today <= to }}
      shown={
        <SegmentedControl
          aria-label={t('calendar.shownAs')}
          value={isYear ? 'year' : 'month'}
          onChange={(shown) =>
            go(pathOf(shown === 'year' ? { year: period.year, month: undefined } : monthIn(period.year, today)))
          }
          data={[
            { value: 'month', label: t('calendar.asMonth') },
            { value: 'year', label: t('calendar.asYear') },
          ]}
        />
      }
      actions={
        !isYear && (
          <ActionIcon
            component={Link}
            href={`${pathOf(period)}/sheet`}
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={t('calendar.sheet.title')}
            title={t('calendar.sheet.title')}
          >
            <IconPrinter size={20} stroke={1.75} aria-hidden />
          </ActionIcon>
        )
      }
    />
  )
}
