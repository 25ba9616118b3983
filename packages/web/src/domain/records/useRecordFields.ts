import type { WritableKind } from '@saldo/core'
import { useFormat } from '../../context/FormatProvider.tsx'
import { useTranslation } from '../../i18n/translation.ts'
import { useZone } from '../account/TimelineProvider.tsx'
import { type RecordField, shownFieldsOf } from './record-fields.ts'

/** Returns a function that describes records in the user's language and time zone. */
export function useRecordFields(): (kind: WritableKind, content: object | null) => RecordField[] {
  const { t } = useTranslation()
  const format = useFormat()
  const zone = useZone()
  return (kind, content) => shownFieldsOf(kind, content, { t: (key, values = {}) => t(key, values), format, zone })
}
