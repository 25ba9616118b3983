import type { MonthState } from '@saldo/core'
import { useTranslation } from '../../i18n/translation.ts'
import { IconLock } from '../../ui/icons.ts'
import classes from './OwnMonth.module.css'

/** The state of a month in a word; a locked one has a sign too. */
export function StateOfMonth({ state }: { state: MonthState }) {
  const { t } = useTranslation()
  return (
    <span className={classes.state} data-state={state}>
      {state === 'locked' && <IconLock size={16} aria-hidden />}
      {t(`team.month.state.${state}`)}
    </span>
  )
}
