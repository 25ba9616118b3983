import { useTranslation } from 'react-i18next'
import { useFormat } from '../../context/FormatProvider.tsx'
import type { SyncSummary } from './sync-summary.ts'

/** Where things stand: `text` in a few words, `brief` in as few as fit on one line of a phone. */
export function useSummaryText(): Record<'text' | 'brief', (summary: SyncSummary) => string> {
  const { t } = useTranslation()
  const format = useFormat()
  return {
    text(summary) {
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
          return t(`ui.failure.store.${summary.trouble}`)
        case 'fetching':
          return t('sync.fetching')
        case 'saved':
          return t('sync.saved')
      }
    },
    brief(summary) {
      switch (summary.kind) {
        case 'waiting':
          return t('sync.brief.waiting', { count: summary.pending, age: format.age(summary.ageMs) })
        case 'sending':
          return t('sync.brief.sending', { count: summary.pending })
        case 'attention':
          return t('sync.brief.attention', { count: summary.count })
        case 'signIn':
        case 'offline':
        case 'trouble':
        case 'fetching':
          return t(`sync.brief.${summary.kind}`)
        case 'saved':
          return ''
      }
    },
  }
}
