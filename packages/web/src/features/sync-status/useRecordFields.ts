import type { WritableKind } from '@saldo/core'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../context/FormatProvider.tsx'
import { useZone } from '../../domain/account/useZone.ts'
import { fieldsOf, type RecordField } from './record-fields.ts'

/** Returns a function that describes records in the user's language and time zone. */
export function useRecordFields(): (kind: WritableKind, content: object | null) => RecordField[] {
  const { t } = useTranslation()
  const format = useFormat()
  const zone = useZone()
  return (kind, content) => fieldsOf(kind, content, { t: (key, values = {}) => t(key, values), format, zone })
}
