import { Anchor } from '@mantine/core'
import type { Month } from '@saldo/core'
import { Link } from 'wouter'
import { useTranslation } from '../../i18n/translation.ts'
import { MonthActions } from './MonthActions.tsx'
import classes from './OwnMonth.module.css'
import { StateOfMonth } from './StateOfMonth.tsx'
import { useMonthText } from './useMonthText.ts'
import { useOwnMonths } from './useOwnMonths.ts'

interface Props {
  month: Month
  /** The view: the month's own one says more, and the sheet names the stored one beside it. */
  place: 'calendar' | 'sheet' | 'month'
}

/** The state of an own month beside its days, with what its person can do; nothing for months before joining. */
export default function OwnMonth({ month, place }: Props) {
  const { t } = useTranslation()
  const { answer, again } = useOwnMonths()
  const textOf = useMonthText()
  const row = answer?.items.find((each) => each.month === month)
  if (!row) return null
  const isLocked = row.state === 'locked'
  const details = place === 'month' || row.state === 'open' ? textOf(row) : ''
  return (
    <section className={classes.month} aria-label={t('team.month.title')}>
      <StateOfMonth state={row.state} />
      <MonthActions row={row} onDone={again} />
      {isLocked && place !== 'month' && (
        <Anchor component={Link} href={`/team/months/${month}`}>
          {t('team.month.sheet')}
        </Anchor>
      )}
      {isLocked && place === 'sheet' && <span className={classes.details}>{t('team.month.otherCode')}</span>}
      {details !== '' && <span className={classes.details}>{details}</span>}
    </section>
  )
}
