import type { BalancePoint } from '@saldo/client/account'
import { useFormat } from '../../../context/FormatProvider.tsx'
import { useTranslation } from '../../../i18n/translation.ts'
import tables from '../../../ui/table.module.css'
import { monthEnds } from './curve-model.ts'
import classes from './MonthTable.module.css'

/** Lists the balance at the end of each month, and its change. */
export function CurveTable({ curve }: { curve: readonly BalancePoint[] }) {
  const { t } = useTranslation()
  const format = useFormat()
  const ends = monthEnds(curve)
  return (
    <table className={`${tables.figures} ${classes.table}`}>
      <caption className="visually-hidden">{t('account.curve.table')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('account.curve.month')}</th>
          <th scope="col">{t('account.curve.change')}</th>
          <th scope="col">{t('account.ledger.balance')}</th>
        </tr>
      </thead>
      <tbody>
        {ends.map(({ date, balanceMs }, index) => {
          const before = ends[index + 1]
          return (
            <tr key={date}>
              <th scope="row">{format.date(date, 'month')}</th>
              <td>{before ? format.difference(balanceMs, before.balanceMs) : ''}</td>
              <td>{format.delta(balanceMs)}</td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
