import { ActionIcon, SegmentedControl } from '@mantine/core'
import type { LocalDate } from '@saldo/core'
import { IconPrinter } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import { useFormat } from '../../context/FormatProvider.tsx'
import { PeriodHeader } from '../../ui/PeriodHeader.tsx'
import { type Place, pathOf, rangeOf, stepped } from './place.ts'

interface Props {
  place: Place
  today: LocalDate
  /** Arrow keys are the grid's: before it is there they lead nowhere. */
  hasGrid: boolean
}

export function CalendarHeader({ place, today, hasGrid }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const [, go] = useLocation()
  const isYear = place.month === undefined
  const { from, to } = rangeOf(place)
  const month = place.year === Number(today.slice(0, 4)) ? Number(today.slice(5, 7)) : 1
  return (
    <PeriodHeader
      hasKeys={hasGrid}
      title={isYear ? place.year : format.date(from, 'month')}
      before={{
        href: pathOf(stepped(place, -1)),
        label: t(isYear ? 'calendar.yearBefore' : 'calendar.monthBefore'),
      }}
      after={{ href: pathOf(stepped(place, 1)), label: t(isYear ? 'calendar.yearAfter' : 'calendar.monthAfter') }}
      now={{ href: '/calendar', label: t('calendar.toNow'), isShown: from <= today && today <= to }}
      shown={
        <SegmentedControl
          aria-label={t('calendar.shownAs')}
          value={isYear ? 'year' : 'month'}
          onChange={(shown) => go(pathOf({ year: place.year, month: shown === 'year' ? undefined : month }))}
          data={[
            { value: 'month', label: t('calendar.asMonth') },
            { value: 'year', label: t('calendar.asYear') },
          ]}
        />
      }
      actions={
        !isYear && (
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={t('calendar.sheet.print')}
            title={t('calendar.sheet.print')}
            onClick={() => print()}
          >
            <IconPrinter size={20} stroke={1.75} aria-hidden />
          </ActionIcon>
        )
      }
    />
  )
}
