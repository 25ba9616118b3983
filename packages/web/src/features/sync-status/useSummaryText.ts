import { useTranslation } from 'react-i18next'
import { useFormat } from '../../ui/format/useFormat.ts'
import type { SyncSummary } from './sync-summary.ts'

/** Where things stand, in a few words. */
export function useSummaryText(): (summary: SyncSummary) => string {
  const { t } = useTranslation()
  const format = useFormat()
  return (summary) => {
    switch (summary.kind) {
      case 'waiting':
        return t('sync.waiting', { count: summary.pending, age: format.age(summary.ageMs) })
      case 'sending':
        return t('sync.sending', { count: summary.pending })
      case 'attention':
        return t('sync.attention', { count: summary.count })
      case 'signIn':
        return summary.pending > 0 ? t('sync.signInPending', { count: summary.pending }) : t('sync.signIn')
      case 'offline':
        return summary.ageMs === null ? t('sync.offlineNew') : t('sync.offline', { age: format.age(summary.ageMs) })
      case 'trouble':
        return t(`ui.failure.store.${summary.trouble}`, { detail: '' })
      case 'fetching':
        return t('sync.fetching')
      case 'saved':
        return t('sync.saved')
    }
  }
}
