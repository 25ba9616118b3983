import type { Cause } from '@saldo/core'
import { useFormat } from '../../../context/FormatProvider.tsx'
import { useTranslation } from '../../../i18n/translation.ts'
import { causeKey, type Recomputation } from '../account-model.ts'
import classes from './RecomputationList.module.css'

interface Props {
  label: string
  recomputations: readonly Recomputation[]
}

/** Why a closed week is no longer what it was: each recomputation with its causes and what it added. */
export function RecomputationList({ label, recomputations }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const nameOf = (cause: Cause) => t(causeKey(cause), { count: cause.count, dates: format.dateRange(cause) })
  return (
    <ul className={classes.list} aria-label={label}>
      {recomputations.map(({ revision, atMs, changeMs, causes }) => (
        <li key={revision} className={classes.item}>
          <span>
            {causes.map((cause) => (
              <span key={causeKey(cause)} className={classes.cause}>
                {nameOf(cause)}
                {' · '}
              </span>
            ))}
            {format.dateTime(atMs)}
          </span>
          <span className={classes.change}>{format.delta(changeMs)}</span>
        </li>
      ))}
    </ul>
  )
}
