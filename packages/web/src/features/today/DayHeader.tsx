import { ActionIcon, Button, Title } from '@mantine/core'
import { addDays } from '@saldo/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'wouter'
import type { Day } from '../../ui/entries/useDay.ts'
import { useFormat } from '../../ui/format/useFormat.ts'
import { useShortcuts } from '../../ui/useShortcuts.ts'
import classes from './DayHeader.module.css'

export function DayHeader({ day: { date, today } }: { day: Day }) {
  const { t } = useTranslation()
  const format = useFormat()
  const [, go] = useLocation()
  const pathOf = (other: string) => (other === today ? '/' : `/day/${other}`)
  const [before, after] = [pathOf(addDays(date, -1)), pathOf(addDays(date, 1))]
  useShortcuts({ ArrowLeft: () => go(before), ArrowRight: () => go(after), T: () => go('/') })
  return (
    <div className={classes.header}>
      <div className={classes.when}>
        <Title order={1} className={classes.title}>
          {format.date(date, 'day')}
        </Title>
        {date !== today && (
          <Button component={Link} href="/" variant="subtle" size="compact-sm">
            {t('today.toToday')}
          </Button>
        )}
      </div>
      <div className={classes.steps}>
        <ActionIcon
          component={Link}
          href={before}
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={t('today.before')}
        >
          <IconChevronLeft size={20} aria-hidden />
        </ActionIcon>
        <ActionIcon component={Link} href={after} variant="subtle" color="gray" size="lg" aria-label={t('today.after')}>
          <IconChevronRight size={20} aria-hidden />
        </ActionIcon>
      </div>
    </div>
  )
}
