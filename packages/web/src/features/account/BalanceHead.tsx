import { useTranslation } from 'react-i18next'
import { useFormat } from '../../ui/format/useFormat.ts'
import classes from './BalanceHead.module.css'
import type { Account } from './useAccount.ts'

/** The balance of today, what of it the service has confirmed, and what is planned. */
export function BalanceHead({ account: { balance, ledger } }: { account: Account }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { confirmed_ms, forecast_ms, future_adjustments_ms } = balance
  return (
    <div className={classes.head}>
      <div>
        <p className={classes.label}>{t('account.balance.today')}</p>
        <p className={classes.figure}>{format.delta(ledger.balanceMs)}</p>
      </div>
      <dl className={classes.parts}>
        <div>
          <dt>{t('account.balance.confirmed')}</dt>
          <dd>{format.delta(confirmed_ms)}</dd>
        </div>
        <div>
          <dt>{t('account.balance.open')}</dt>
          <dd>{format.delta(forecast_ms - confirmed_ms)}</dd>
        </div>
        {future_adjustments_ms !== 0 && (
          <div>
            <dt>{t('account.balance.future')}</dt>
            <dd>{format.delta(future_adjustments_ms)}</dd>
          </div>
        )}
      </dl>
    </div>
  )
}
