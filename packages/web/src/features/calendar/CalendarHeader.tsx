import { ActionIcon, Button, SegmentedControl, Title } from '@mantine/core'
import { IconChevronLeft, IconChevronRight, IconPrinter } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'wouter'
import { useFormat } from '../../ui/format/useFormat.ts'
import { useShortcuts } from '../../ui/useShortcuts.ts'
import classes from './CalendarHeader.module.css'
import { pathOf, rangeOf, stepped } from './place.ts'
import type { Calendar } from './useCalendar.ts'

export function CalendarHeader({ calendar: { place, today } }: { calendar: Calendar }) {
  const { t } = useTranslation()
  const format = useFormat()
  const [, go] = useLocation()
  const isYear = place.month === undefined
  const [before, after] = [pathOf(stepped(place, -1)), pathOf(stepped(place, 1))]
  const { from, to } = rangeOf(place)
  const isNow = from <= today && today <= to
  const month = place.year === Number(today.slice(0, 4)) ? Number(today.slice(5, 7)) : 1
  useShortcuts({ ArrowLeft: () => go(before), ArrowRight: () => go(after), T: () => go('/calendar') })
  return (
    <div className={classes.header}>
      <div className={classes.when}>
        <Title order={1} className={classes.title}>
          {isYear ? place.year : format.date(from, 'month')}
        </Title>
        {!isNow && (
          <Button component={Link} href="/calendar" variant="subtle" size="compact-sm">
            {t('calendar.toNow')}
          </Button>
        )}
      </div>
      <SegmentedControl
        className={classes.shown ?? ''}
        aria-label={t('calendar.shownAs')}
        value={isYear ? 'year' : 'month'}
        onChange={(shown) => go(pathOf({ year: place.year, month: shown === 'year' ? undefined : month }))}
        data={[
          { value: 'month', label: t('calendar.asMonth') },
          { value: 'year', label: t('calendar.asYear') },
        ]}
      />
      <div className={classes.steps}>
        {!isYear && (
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
        )}
        <ActionIcon
          component={Link}
          href={before}
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={t(isYear ? 'calendar.yearBefore' : 'calendar.monthBefore')}
        >
          <IconChevronLeft size={20} aria-hidden />
        </ActionIcon>
        <ActionIcon
          component={Link}
          href={after}
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={t(isYear ? 'calendar.yearAfter' : 'calendar.monthAfter')}
        >
          <IconChevronRight size={20} aria-hidden />
        </ActionIcon>
      </div>
    </div>
  )
}
