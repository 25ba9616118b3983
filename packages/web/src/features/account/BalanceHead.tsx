import { useFormat } from '../../context/FormatProvider.tsx'
import { BalanceRange } from '../../domain/account/limits/BalanceRange.tsx'
import { useTranslation } from '../../i18n/translation.ts'
import classes from './BalanceHead.module.css'
import type { Account } from './useAccount.ts'

/** Shows the balance of today, its confirmed and open parts, and future adjustments. */
export function BalanceHead({ account: { ledger } }: { account: Account }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { balanceMs, confirmedMs, future } = ledger
  const futureMs = future.reduce((sum, { deltaMs }) => sum + deltaMs, 0)
  return (
    <div className={classes.head}>
      <div>
        <p className={classes.label}>{t('account.balance.today')}</p>
        <p className={classes.figure}>{format.delta(balanceMs)}</p>
        <BalanceRange balanceMs={balanceMs} />
      </div>
      <dl className={classes.parts}>
        <div>
          <dt>{t('account.balance.confirmed')}</dt>
          <dd>{format.delta(confirmedMs)}</dd>
        </div>
        <div>
          <dt>{t('account.balance.open')}</dt>
          <dd>{format.difference(balanceMs, confirmedMs)}</dd>
        </div>
        {future.length > 0 && (
          <div className={classes.future}>
            <dt>{t('account.balance.future')}</dt>
            <dd>{format.delta(futureMs)}</dd>
          </div>
        )}
      </dl>
    </div>
  )
}
