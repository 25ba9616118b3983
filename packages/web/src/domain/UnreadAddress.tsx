import { useSearch } from 'wouter'
import { useTranslation } from '../i18n/translation.ts'
import { Notice } from '../ui/Notice.tsx'
import { type FieldReads, unreadFields, useAddressFields } from './address.ts'

/** Says which part of the address a view does not show: a mistyped one looks like none otherwise. */
export function UnreadAddress({ reads }: { reads: FieldReads }) {
  const { t } = useTranslation()
  const fields = useAddressFields()
  const query = useSearch()
  const unread = [...unreadFields(new URLSearchParams(query), {}), ...unreadFields(fields, reads)]
  return unread.length > 0 && <Notice>{t('ui.notFound.part', { part: unread.join(' · ') })}</Notice>
}
