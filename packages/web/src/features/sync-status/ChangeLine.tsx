import type { QueuedChange } from '@saldo/client'
import type { WritableKind } from '@saldo/core'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../context/FormatProvider.tsx'
import { useZone } from '../../domain/account/TimelineProvider.tsx'
import { type RecordField, shownFieldsOf } from './record-fields.ts'
import classes from './SyncView.module.css'

/** Returns a function that describes records in the user's language and time zone. */
export function useRecordFields(): (kind: WritableKind, content: object | null) => RecordField[] {
  const { t } = useTranslation()
  const format = useFormat()
  const zone = useZone()
  return (kind, content) => shownFieldsOf(kind, content, { t: (key, values = {}) => t(key, values), format, zone })
}

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
