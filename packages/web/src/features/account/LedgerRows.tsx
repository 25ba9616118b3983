import { Anchor } from '@mantine/core'
import type { AdjustmentLine, WeekLine } from '@saldo/client/account'
import { Link } from 'wouter'
import { useFormat } from '../../context/FormatProvider.tsx'
import { historyOf } from '../../domain/account/account-model.ts'
import { RecomputationList } from '../../domain/account/recomputation/RecomputationList.tsx'
import { useTranslation } from '../../i18n/translation.ts'
import { IconDeviceFloppy } from '../../ui/icons.ts'
import classes from './LedgerTable.module.css'

/** Shows a week, and the recomputations of a closed one. */
export function WeekRow({ line: { week, date, closed, deltaMs, balanceMs } }: { line: WeekLine }) {
  const { t } = useTranslation()
  const format = useFormat()
  const name = t('account.week', { number: Number(week.slice(6)), year: week.slice(0, 4) })
  const { firstMs, recomputations } = closed ? historyOf(closed) : { firstMs: deltaMs, recomputations: [] }
  return (
    <>
      <tr>
        <th scope="row">
          <Anchor component={Link} href={`/week/${week}`} c="inherit" inherit underline="hover">
            {name}
          </Anchor>
          <span className={classes.note}>
            {closed
              ? format.dateRange({ from: closed.start_date, to: closed.end_date })
              : t('account.ledger.open', { date: format.date(date, 'short') })}
          </span>
          {closed && closed.delta_ms !== deltaMs && (
            <span className={classes.note}>{t('account.ledger.unsent', { delta: format.delta(closed.delta_ms) })}</span>
          )}
        </th>
        <td data-open={!closed || undefined}>{format.delta(deltaMs)}</td>
        <td>{format.delta(balanceMs)}</td>
      </tr>
      {recomputations.length > 0 && (
        <tr>
          <td className={classes.historyCell} colSpan={3}>
            <div className={classes.history}>
              <span className={classes.first}>
                <span>{t('account.ledger.first')}</span>
                <span>{format.delta(firstMs)}</span>
              </span>
              <RecomputationList label={t('account.ledger.changes', { week: name })} recomputations={recomputations} />
            </div>
          </td>
        </tr>
      )}
    </>
  )
}

interface AdjustmentRowProps {
  line: AdjustmentLine
  onEdit: () => void
}

export function AdjustmentRow({ line: { record, date, pending, deltaMs, balanceMs }, onEdit }: AdjustmentRowProps) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <tr>
      <th scope="row">
        <span className={classes.name}>
          <Anchor
            component="button"
            type="button"
            c="inherit"
            inherit
            fw={600}
            aria-haspopup="dialog"
            underline="hover"
            onClick={onEdit}
          >
            {t(`account.kind.${record.kind}`)}
          </Anchor>
          {pending && (
            <IconDeviceFloppy className={classes.pending} size={16} role="img" aria-label={t('account.isPending')} />
          )}
        </span>
        <span className={classes.note}>
          {format.date(date, 'medium')}
          {' · '}
          {record.reason}
        </span>
      </th>
      <td>{format.delta(deltaMs)}</td>
      <td>{format.delta(balanceMs)}</td>
    </tr>
  )
}
