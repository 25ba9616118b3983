import type { RejectedChange } from '@saldo/client'
import { useTranslation } from '../../../i18n/translation.ts'
import { problemKey } from '../../../ui/feedback/failure.ts'
import classes from '../SyncView.module.css'
import { fieldErrorText } from '../sync-status-model.ts'

/** Says why the service rejected a change, in the service's own words where the app has none. */
export function RejectionReason({ rejected: { change, problem } }: { rejected: RejectedChange }) {
  const { t } = useTranslation()
  const { errors = [] } = problem
  const reason = problemKey(problem)
  return (
    <div className={classes.why}>
      {reason ? (
        t(reason)
      ) : (
        <>
          {t('sync.rejected.why')} <span lang="en">{problem.detail}</span>
        </>
      )}
      {errors.length > 0 && (
        <ul>
          {errors.map((error) => {
            const text = fieldErrorText(change.kind, error)
            return (
              <li key={`${error.pointer} ${error.detail}`}>
                {text ? (
                  t(text.key, { field: text.field && t(text.field) })
                ) : (
                  <span lang="en">{`${error.pointer.split('/').at(-1)} ${error.detail}`}</span>
                )}
              </li>
            )
          })}
        </ul>
      )}
    </div>
  )
}
