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

/** True if a screen reader announces a summary: not if something is saved as usual. */
export function isSpoken(kind: SyncSummary['kind'], isUrgent: boolean): boolean {
  return isUrgent || kind === 'offline' || kind === 'stale'
}

/** Returns how this device hears of changes: by notifications, by asking again and again, or not at all. */
export function notificationsOf({
  online,
  needsSignIn,
  live,
}: Pick<Status, 'online' | 'needsSignIn' | 'live'>): 'none' | 'live' | 'polled' {
  if (!online || needsSignIn) return 'none'
  return live ? 'live' : 'polled'
}

/** True if no change is left that only this device has; false until all of them are counted. */
export function isEverythingSaved(status: Pick<Status, 'unsent' | 'rejected' | 'conflicts'> | undefined): boolean {
  return [status?.unsent, status?.rejected, status?.conflicts].every((count) => count === 0)
}
