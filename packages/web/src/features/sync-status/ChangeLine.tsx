import type { QueuedChange } from '@saldo/client'
import { useRecordFields } from '../../domain/records/useRecordFields.ts'
import { useTranslation } from '../../i18n/translation.ts'
import classes from './SyncView.module.css'

/** Describes a change in one line. */
export function ChangeLine({ change: { kind, content } }: { change: QueuedChange }) {
  const { t } = useTranslation()
  const fields = useRecordFields()(kind, content)
  const title = t(content === null ? `sync.deletionOf.${kind}` : `sync.changeOf.${kind}`)
  return (
    <span className={classes.what}>
      <span className={classes.name}>{title}</span>{' '}
      <span className={classes.muted}>
        {fields.map(({ name, text }, index) => (index === 0 ? '' : name === 'sync.field.end' ? ' – ' : ' · ') + text)}
      </span>
    </span>
  )
}
