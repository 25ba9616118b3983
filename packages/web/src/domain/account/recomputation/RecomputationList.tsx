import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../context/FormatProvider.tsx'
import { causeKey, type Recomputation } from '../account-model.ts'
import classes from './RecomputationList.module.css'

interface Props {
  label: string
  recomputations: readonly Recomputation[]
}

/** Why a closed week is no longer what it was: each change with its cause and what it added. */
export function RecomputationList({ label, recomputations }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <ul className={classes.list} aria-label={label}>
      {recomputations.map(({ revision, atMs, changeMs, cause }) => (
        <li key={revision} className={classes.item}>
          <span>
            {t(causeKey(cause), { date: format.date(cause.date, 'medium') })}
            {' · '}
            {format.dateTime(atMs)}
          </span>
          <span className={classes.change}>{format.delta(changeMs)}</span>
        </li>
      ))}
    </ul>
  )
}
