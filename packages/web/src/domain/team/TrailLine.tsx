import { type AccountTrailRow, datesOfMonth, epochMs, MonthText, matches } from '@saldo/core'
import { useFormat } from '../../context/FormatProvider.tsx'
import { useTranslation } from '../../i18n/translation.ts'
import rows from '../../ui/rows.module.css'
import { useTimeline } from '../account/TimelineProvider.tsx'
import classes from './TrailLine.module.css'
import { causeOf, eventOf, ownChangeOf } from './trail-model.ts'

/** A row of an account's trail: who did what and when, and why if that is known (D29.2). */
export function TrailLine({ row }: { row: AccountTrailRow }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { timeline } = useTimeline()
  const { at, actor, data } = row
  const own = ownChangeOf(row, timeline)
  const cause = causeOf(row)
  const { month, reason } = data
  const values = {
    name: actor?.name ?? t('team.log.service'),
    month: matches(MonthText, month) ? format.date(datesOfMonth(month).from, 'month') : '',
    date: own ? format.date(own.date, 'medium') : '',
  }
  return (
    <li className={rows.row}>
      <div className={rows.what}>
        <div className={classes.text}>
          {own ? t(`team.log.own.${own.record}.${own.op}`, values) : t(`team.log.kind.${eventOf(row)}`, values)}
        </div>
        {cause && <div className={rows.details}>{t(`team.log.cause.${cause}`)}</div>}
        {typeof reason === 'string' && <div className={rows.details}>{t('team.decided.reason', { reason })}</div>}
        <div className={rows.details}>{format.dateTime(epochMs(at))}</div>
      </div>
    </li>
  )
}
