import { Link } from 'wouter'
import { useFormat } from '../context/FormatProvider.tsx'
import { BalanceRange } from '../domain/account/limits/BalanceRange.tsx'
import { useCurrentBalance, useTimeline } from '../domain/account/TimelineProvider.tsx'
import { useTranslation } from '../i18n/translation.ts'
import classes from './Balance.module.css'

/** Shows the balance in every view, once there are working hours, and leads to the account. */
export function Balance() {
  const { t } = useTranslation()
  const format = useFormat()
  const { timeline } = useTimeline()
  const balance = useCurrentBalance()
  // The first row of the timeline is for the time before the account.
  if (balance === undefined || timeline.length < 2) return null
  return (
    <Link href="/account" className={classes.balance ?? ''} title={t('app.balanceHelp')}>
      <span className={classes.label}>{t('app.balance')}</span>{' '}
      <b className={classes.figure}>{format.delta(balance)}</b>
      <span className={classes.range}>
        <BalanceRange balanceMs={balance} />
      </span>
    </Link>
  )
}
