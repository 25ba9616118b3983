import type { RejectedChange } from '@saldo/client'
import { useTranslation } from 'react-i18next'
import { problemKey } from '../../../ui/feedback/problem-key.ts'
import classes from '../SyncView.module.css'
import { fieldErrorOf } from './field-error.ts'

/** What speaks against a change; in the service's own words where the app has none. */
export function RejectionReason({ rejected: { change, problem } }: { rejected: RejectedChange }) {
  const { t } = useTranslation()
  const { detail, errors = [] } = problem
  const reason = problemKey(problem)
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
          {errors.map(({ pointer, detail: said }) => {
            const fault = fieldErrorOf(change.kind, { pointer, detail: said })
            return (
              <li key={`${pointer} ${said}`}>
                {fault ? (
                  t(fault.key, { field: fault.field && t(fault.field) })
                ) : (
                  <span lang="en">{`${pointer.split('/').at(-1)} ${said}`}</span>
                )}
              </li>
            )
          })}
        </ul>
      )}
    </div>
  )
}
