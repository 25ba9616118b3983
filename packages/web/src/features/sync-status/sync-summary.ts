import type { Status } from '@saldo/client'
import type { EpochMs } from '@saldo/core'

/** What a person has to know of sync at a glance, the most urgent first. `ageMs` is how long the oldest change waits. */
export type SyncSummary =
  | { kind: 'trouble'; trouble: NonNullable<Status['storeError']> }
  | { kind: 'signIn'; pending: number }
  | { kind: 'attention'; count: number }
  | { kind: 'waiting'; pending: number; ageMs: number }
  | { kind: 'sending'; pending: number }
  | { kind: 'offline'; ageMs: number | null }
  | { kind: 'fetching' }
  | { kind: 'saved' }

export function summaryOf(status: Status, nowMs: EpochMs): SyncSummary {
  const { oldestUnsentAtMs, lastSuccessMs } = status
  const pending = status.unsent ?? 0
  const attention = (status.rejected ?? 0) + (status.conflicts ?? 0) + (status.unreadable ?? 0)
  if (status.storeError) return { kind: 'trouble', trouble: status.storeError }
  if (status.needsSignIn) return { kind: 'signIn', pending }
  if (attention > 0 || status.state === 'broken') return { kind: 'attention', count: Math.max(1, attention) }
  if (pending > 0 && status.online && status.syncing) return { kind: 'sending', pending }
  if (pending > 0) return { kind: 'waiting', pending, ageMs: Math.max(0, nowMs - (oldestUnsentAtMs ?? nowMs)) }
  if (!status.online) return { kind: 'offline', ageMs: lastSuccessMs === null ? null : nowMs - lastSuccessMs }
  return lastSuccessMs === null ? { kind: 'fetching' } : { kind: 'saved' }
}
