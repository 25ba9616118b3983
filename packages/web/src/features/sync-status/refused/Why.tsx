import type { Refused } from '@saldo/client'
import { useTranslation } from 'react-i18next'
import classes from '../SyncView.module.css'
import { faultKey, reasonKey } from './reason.ts'

/** What speaks against a change; in the service's own words where the app has none. */
export function Why({ refused: { edit, problem } }: { refused: Refused }) {
  const { t } = useTranslation()
  const { detail, errors = [] } = problem
  const reason = reasonKey(problem)
  return (
    <div className={classes.why}>
      {reason ? (
        t(reason)
      ) : (
        <>
          {t('sync.refused.why')} <span lang="en">{detail}</span>
        </>
      )}
      {errors.length > 0 && (
        <ul>
          {errors.map((fault) => {
            const text = faultKey(edit.kind, fault)
            return (
              <li key={`${fault.pointer} ${fault.detail}`}>
                {text ? t(text) : <span lang="en">{`${fault.pointer.split('/').at(-1)} ${fault.detail}`}</span>}
              </li>
            )
          })}
        </ul>
      )}
    </div>
  )
}
