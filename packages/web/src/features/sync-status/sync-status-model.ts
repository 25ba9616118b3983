import type { Conflict, PendingMutation, RejectedChange, Saldo, Status, SyncError } from '@saldo/client'
import { type EpochMs, type InputError, isToAskFor, type RecordId, type WritableKind } from '@saldo/core'
import { problemKey } from '../../ui/feedback/failure.ts'

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

/** Returns the summary of a status. `nowMs` is by the clock of the device, as the times of the status are. */
export function syncSummaryOf(status: Status, nowMs: EpochMs): SyncSummary {
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

/** Returns the key of the message for the last error of sync. */
export function errorKey({ code }: SyncError, { state, storeError }: Pick<Status, 'state' | 'storeError'>): string {
  switch (code) {
    case 'unreachable':
      return state === 'offline' ? 'sync.noNetwork' : 'sync.error.unreachable'
    case 'wrongService':
    case 'unknownProtocol':
      return `ui.failure.${code}`
    case 'coldStartsFailed':
      return 'sync.error.coldStartsFailed'
    case 'defect':
      return storeError ? `ui.failure.store.${storeError}` : 'sync.error.defect'
    default:
      return problemKey({ code }) ?? 'sync.error.other'
  }
}

/**
 * Returns what a user can do about a rejected change, besides sending it again. Work that runs is stopped first
 * (D27.9): no month with it is locked again. Granted days and requests have no form here.
 */
export function remedyOf({ change: { content }, problem }: RejectedChange): 'ask' | 'correct' | undefined {
  const isRunning = content?.ended_at === null
  if (isToAskFor(problem) && !isRunning) return 'ask'
  return content === null || content.kind === 'vacation_grant' || content.kind === 'request' ? undefined : 'correct'
}

interface Collection {
  create(content: object, options: { id: RecordId }): PendingMutation<unknown>
  delete(id: RecordId): PendingMutation
}

/** Makes a record again what the other device made of it. */
export async function restoreTheirs(
  { entries, settings, balanceAdjustments }: Pick<Saldo, 'entries' | 'settings' | 'balanceAdjustments'>,
  { mine, theirs }: Conflict,
): Promise<void> {
  const collection: Collection = { entries, settings_history: settings, balance_adjustments: balanceAdjustments }[
    mine.kind
  ]
  await (theirs.record ? collection.create(theirs.record, { id: mine.id }) : collection.delete(mine.id)).settled
}

const fieldKeys: Readonly<Record<string, string>> = {
  kind: 'sync.field.kind',
  started_at: 'sync.field.start',
  ended_at: 'sync.field.end',
  date: 'sync.field.date',
  effective_date: 'sync.field.date',
  day_share: 'sync.field.share',
  amount_ms: 'sync.field.length',
  counts: 'sync.field.counts',
  project: 'sync.field.project',
  tags: 'sync.field.tags',
  note: 'sync.field.note',
  effective_from: 'sync.field.from',
  target_ms: 'sync.field.hours',
  time_zone: 'sync.field.zone',
  break_policy: 'sync.field.breaks',
  auto_close: 'sync.field.autoClose',
  week_starts_on: 'sync.field.weekStart',
  hints: 'sync.field.hints',
  core_time: 'sync.field.coreTime',
  frame: 'sync.field.frame',
  vacation: 'sync.field.vacation',
  limits: 'sync.field.limits',
  days: 'sync.field.days',
  holidays: 'sync.field.holidays',
  delta_ms: 'sync.field.amount',
  reason: 'sync.field.reason',
}

/** Returns the keys of the message for a wrong field, and of the field's name; `undefined` where the app has none. */
export function fieldErrorText(
  kind: WritableKind,
  { pointer }: InputError,
): { key: string; field?: string } | undefined {
  // In a push, the pointer begins at the change and not at its record.
  const name = pointer.replace(/^\/record(?=\/)/, '').split('/')[1] ?? ''
  if (kind === 'balance_adjustments' && name === 'delta_ms') return { key: 'sync.rejected.beyondBalance' }
  const field = fieldKeys[name]
  return field === undefined ? undefined : { key: 'sync.rejected.invalidField', field }
}
