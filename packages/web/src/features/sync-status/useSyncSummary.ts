import type { Status } from '@saldo/client'
import { MINUTE_MS } from '@saldo/core'
import { useDeviceNow } from '../../context/clock.ts'
import { useFormat } from '../../context/FormatProvider.tsx'
import { type Translate, useTranslation } from '../../i18n/translation.ts'
import type { Icon } from '../../ui/icon.tsx'
import {
  IconAlertTriangle,
  IconCloudCheck,
  IconCloudDownload,
  IconCloudOff,
  IconCloudUp,
  IconDeviceFloppy,
  IconLock,
} from '../../ui/icons.ts'
import { type SyncSummary, syncSummaryOf } from './sync-status-model.ts'

type Kind = SyncSummary['kind']

const icons: Record<Kind, Icon> = {
  trouble: IconAlertTriangle,
  signIn: IconLock,
  attention: IconAlertTriangle,
  waiting: IconDeviceFloppy,
  sending: IconCloudUp,
  offline: IconCloudOff,
  stale: IconCloudOff,
  fetching: IconCloudDownload,
  saved: IconCloudCheck,
}
const urgentKinds: ReadonlySet<Kind> = new Set(['trouble', 'signIn', 'attention'])

/** Returns how sync stands: as a sentence, as a `brief` that fits one line of a phone, and as an icon. */
export function useSyncSummary(status: Status) {
  const { t } = useTranslation()
  const format = useFormat()
  const summary = syncSummaryOf(status, useDeviceNow(MINUTE_MS))
  const { kind } = summary
  const values = {
    ...('count' in summary && { count: summary.count }),
    ...('ageMs' in summary && summary.ageMs !== null && { age: format.age(summary.ageMs) }),
  }
  return {
    kind,
    text: sentenceOf(summary, values, t),
    brief: kind === 'saved' ? '' : t(`sync.brief.${kind}`, values),
    Icon: icons[kind],
    isUrgent: urgentKinds.has(kind),
  }
}

function sentenceOf(summary: SyncSummary, values: { count?: number; age?: string }, t: Translate): string {
  switch (summary.kind) {
    case 'trouble':
      return t(`ui.failure.store.${summary.trouble}`)
    case 'signIn':
      return summary.count > 0 ? t('sync.signInPending', values) : t('sync.signIn')
    case 'attention':
      return t('sync.attention', values)
    case 'sending':
      return t('sync.sending', values)
    case 'waiting':
      return t('sync.waiting', values)
    case 'offline':
      return summary.ageMs === null ? t('sync.offlineNew') : t('sync.offline', values)
    case 'stale':
      return summary.ageMs === null ? t('sync.staleNew') : t('sync.stale', values)
    case 'fetching':
      return t('sync.fetching')
    case 'saved':
      return t('sync.saved')
  }
}
