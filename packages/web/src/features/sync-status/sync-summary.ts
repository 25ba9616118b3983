import type { Status } from '@saldo/client'
import type { EpochMs } from '@saldo/core'

/** The states of sync that a user should know, most urgent first. `count` counts changes; `ageMs` is of the oldest. */
export type SyncSummary =
  | { kind: 'trouble'; trouble: NonNullable<Status['storeError']> }
  | { kind: 'signIn'; count: number }
  | { kind: 'attention'; count: number }
  | { kind: 'sending'; count: number }
  | { kind: 'waiting'; count: number; ageMs: number }
  | { kind: 'offline'; ageMs: number | null }
  | { kind: 'stale'; ageMs: number | null }
  | { kind: 'fetching' }
  | { kind: 'saved' }

export function summaryOf(status: Status, nowMs: EpochMs): SyncSummary {
  const { oldestUnsentAtMs, lastSuccessMs } = status
  const unsent = status.unsent ?? 0
  const attention = (status.rejected ?? 0) + (status.conflicts ?? 0) + (status.unreadable ?? 0)
  if (status.storeError) return { kind: 'trouble', trouble: status.storeError }
  if (status.needsSignIn) return { kind: 'signIn', count: unsent }
  if (attention > 0 || status.lastError?.code === 'coldStartsFailed')
    return { kind: 'attention', count: Math.max(1, attention) }
  if (unsent > 0 && status.syncing) return { kind: 'sending', count: unsent }
  if (unsent > 0) return { kind: 'waiting', count: unsent, ageMs: Math.max(0, nowMs - (oldestUnsentAtMs ?? nowMs)) }
  const ageMs = lastSuccessMs === null ? null : nowMs - lastSuccessMs
  if (!status.online) return { kind: 'offline', ageMs }
  if (isBlocked(status)) return { kind: 'stale', ageMs }
  return lastSuccessMs === null ? { kind: 'fetching' } : { kind: 'saved' }
}

/** True without a network, and from a failed sync until the next attempt. */
export function isBlocked({ state }: Pick<Status, 'state'>): boolean {
  return state === 'offline' || state === 'waiting'
}
