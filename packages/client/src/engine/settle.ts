import { contentOf, jsonEqual, type Problem } from '@saldo/core'
import type { BaseRecord, OutboxRow, QueuedChange } from '../store/rows.ts'
import { stopSending } from './outbox.ts'

/** The outcome of one change at the service, with the record that the service has now. */
export type ChangeOutcome =
  | { outcome: 'accepted'; current: BaseRecord }
  /** Another change won. */
  | { outcome: 'superseded'; current: BaseRecord }
  | { outcome: 'rejected'; problem: Problem }
  /** Only the service writes records of this kind. */
  | { outcome: 'skipped' }

/** The consequences of a `ChangeOutcome` for the outbox and the other tables. */
export type Settlement =
  /** Another request carried the row later, so this outcome does not count. */
  | { outcome: 'ignored'; row: OutboxRow | undefined }
  | {
      outcome: 'settled'
      /** The outbox row, if a later change of the record still has to be sent. */
      row: OutboxRow | undefined
      current?: BaseRecord
      /** The change lost. */
      conflict?: { mine: QueuedChange; theirs: BaseRecord }
      rejected?: { change: QueuedChange; problem: Problem }
    }

/**
 * Settles exactly the change that was sent: a later change of the record has another time and stays queued (D7.16).
 * An outcome counts only if no other request carried the row later (D7.17): a late one may be of a history from before
 * a reset.
 */
export function settle(row: OutboxRow | undefined, sent: OutboxRow, outcome: ChangeOutcome): Settlement {
  if (row?.generation !== sent.generation) return { outcome: 'ignored', row }
  const isLatest = row.updatedAt === sent.updatedAt
  const settled = { outcome: 'settled', row: isLatest ? undefined : stopSending(row) } as const
  switch (outcome.outcome) {
    case 'accepted':
      return { ...settled, current: outcome.current }
    case 'superseded': {
      const { current } = outcome
      const isLost = isLatest && !hasContent(current, sent)
      return isLost ? { ...settled, current, conflict: { mine: sent, theirs: current } } : { ...settled, current }
    }
    case 'rejected':
      return isLatest ? { ...settled, rejected: { change: sent, problem: outcome.problem } } : settled
    case 'skipped':
      return settled
  }
}

/** True if a record is what the change asked for, whoever wrote it. */
function hasContent({ record }: BaseRecord, { content }: QueuedChange): boolean {
  if (record === null || content === null) return record === content
  return jsonEqual(contentOf(record), content)
}
