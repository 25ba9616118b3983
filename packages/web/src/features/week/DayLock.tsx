import { ActionIcon } from '@mantine/core'
import { IconLock, IconLockOpen } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../context/FormatProvider.tsx'
import classes from './DaysTable.module.css'
import { useClosing } from './useClosing.ts'
import type { WeekDay } from './week-days.ts'

interface Props {
  day: WeekDay
  isWeekClosed: boolean
}

/** Whether a day is closed, and what closes or reopens it alone. A day of a closed week goes with its week. */
export function DayLock({ day: { date, state, isOver }, isWeekClosed }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const closing = useClosing()
  if (state === 'outside' || !isOver) return null
  if (isWeekClosed) return <IconLock className={classes.locked} size={16} role="img" aria-label={t('week.dayClosed')} />
  const verb = state === 'closed' ? 'reopen' : 'close'
  const Icon = state === 'closed' ? IconLock : IconLockOpen
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      loading={closing.busy === date}
      aria-label={t(`week.${verb}Day`, { day: format.date(date, 'day') })}
      title={t(`week.${verb}Day`, { day: format.date(date, 'day') })}
      onClick={() => void closing.day(date, verb)}
    >
      <Icon size={16} aria-hidden />
    </ActionIcon>
  )
}
