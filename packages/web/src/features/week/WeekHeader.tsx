import { ActionIcon, Button, Title } from '@mantine/core'
import { addDays, mondayOf, weekOf } from '@saldo/core'
import { IconChevronLeft, IconChevronRight, IconLock } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'wouter'
import { formatDateRange } from '../../ui/format/date-range.ts'
import { useFormat } from '../../ui/format/useFormat.ts'
import { useShortcuts } from '../../ui/useShortcuts.ts'
import type { Week } from './useWeek.ts'
import classes from './WeekHeader.module.css'

export function WeekHeader({ week: { week, thisWeek, dates, closed } }: { week: Week }) {
  const { t } = useTranslation()
  const format = useFormat()
  const [, go] = useLocation()
  const pathOf = (weeks: number) => {
    const other = weekOf(addDays(mondayOf(week), weeks * 7))
    return other === thisWeek ? '/week' : `/week/${other}`
  }
  const [before, after] = [pathOf(-1), pathOf(1)]
  useShortcuts({ ArrowLeft: () => go(before), ArrowRight: () => go(after), T: () => go('/week') })
  return (
    <div className={classes.header}>
      <div>
        <div className={classes.when}>
          <Title order={1} className={classes.title}>
            {t('week.heading', { number: Number(week.slice(6)) })}
          </Title>
          {closed && (
            <span className={classes.closed}>
              <IconLock size={16} aria-hidden />
              {t('week.closed')}
            </span>
          )}
          {week !== thisWeek && (
            <Button component={Link} href="/week" variant="subtle" size="compact-sm">
              {t('week.toThisWeek')}
            </Button>
          )}
        </div>
        <p className={classes.dates}>
          {formatDateRange(format.locale, { from: dates[0] as string, to: dates[6] as string })}
        </p>
      </div>
      <div className={classes.steps}>
        <ActionIcon
          component={Link}
          href={before}
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={t('week.before')}
        >
          <IconChevronLeft size={20} aria-hidden />
        </ActionIcon>
        <ActionIcon component={Link} href={after} variant="subtle" color="gray" size="lg" aria-label={t('week.after')}>
          <IconChevronRight size={20} aria-hidden />
        </ActionIcon>
      </div>
    </div>
  )
}
