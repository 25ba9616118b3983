import { isJsonObject, type LocalDate, type RequestContent } from '@saldo/core'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../context/FormatProvider.tsx'
import bullets from '../../../ui/bullets.module.css'

/** The changes that a request asks for, in words. */
export function AskedChanges({ changes }: { changes: NonNullable<RequestContent['changes']> }) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <ul className={bullets.list}>
      {changes.map((change, index) => {
        const record = isJsonObject(change.record) ? change.record : undefined
        const kind = typeof record?.kind === 'string' ? t(`entries.kind.${record.kind}`) : ''
        const date = typeof record?.date === 'string' ? format.date(record.date as LocalDate, 'day') : ''
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
          <li key={index}>{record ? t('team.request.becomes', { kind, date }) : t('team.request.deletes')}</li>
        )
      })}
    </ul>
  )
}
