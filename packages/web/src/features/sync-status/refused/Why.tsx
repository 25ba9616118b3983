import type { Problem } from '@saldo/core'
import { useTranslation } from 'react-i18next'
import classes from '../SyncView.module.css'

/** What the service says against a change, in its own words. */
export function Why({ problem: { detail, errors = [] } }: { problem: Problem }) {
  const { t } = useTranslation()
  return (
    <div className={classes.why}>
      {t('sync.refused.why')} <span lang="en">{detail}</span>
      {errors.length > 0 && (
        <ul lang="en">
          {errors.map(({ pointer, detail: fault }) => (
            <li key={`${pointer} ${fault}`}>{`${pointer.split('/').at(-1)} ${fault}`}</li>
          ))}
        </ul>
      )}
    </div>
  )
}
