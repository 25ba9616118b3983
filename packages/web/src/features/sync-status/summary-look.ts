import {
  IconAlertTriangle,
  IconCloudCheck,
  IconCloudDownload,
  IconCloudOff,
  IconCloudUp,
  IconDeviceFloppy,
  IconLock,
  type TablerIcon,
} from '@tabler/icons-react'
import type { SyncSummary } from './sync-summary.ts'

export const summaryIcons: Record<SyncSummary['kind'], TablerIcon> = {
  trouble: IconAlertTriangle,
  signIn: IconLock,
  attention: IconAlertTriangle,
  waiting: IconDeviceFloppy,
  sending: IconCloudUp,
  offline: IconCloudOff,
  fetching: IconCloudDownload,
  saved: IconCloudCheck,
}

const urgent: ReadonlySet<SyncSummary['kind']> = new Set(['trouble', 'signIn', 'attention'])

/** Whether a person has to do something. */
export function isUrgent({ kind }: SyncSummary): boolean {
  return urgent.has(kind)
}
