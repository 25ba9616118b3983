import { contentOf, jsonEqual, type Problem } from '@saldo/core'
import type { BaseRecord, OutboxRow, QueuedChange } from '../store/rows.ts'
import { stopSending } from './outbox.ts'

/** The outcome of one change at the service (D6), with the record that the service has now. */
export type ChangeOutcome =
  | { status: 'stored'; current: BaseRecord }
  /** Another change won. */
  | { status: 'superseded'; current: BaseRecord }
  | { status: 'rejected'; problem: Problem }
  /** Only the service writes records of this kind. */
  | { status: 'skipped' }

/** The effect of a `ChangeOutcome` on the outbox and the other tables. */
export type Settlement =
  /** Another request carried the row later, so this outcome does not count. */
  | { effect: 'ignored'; row: OutboxRow | undefined }
  | {
      effect: 'settled'
      /** The outbox row, if a later change of the record still has to be sent. */
      row: OutboxRow | undefined
      current?: BaseRecord
      /** The change lost. */
      conflict?: { mine: QueuedChange; theirs: BaseRecord }
      rejected?: { change: QueuedChange; problem: Problem }
    }

/**
 * Settles exactly the change that was sent: a later change of the record has another time and stays queued (D7). An
 * outcome counts only if no other request carried the row later: a late one may tell of a history that was replaced.
 */
export function settle(row: OutboxRow | undefined, sent: OutboxRow, outcome: ChangeOutcome): Settlement {
  if (row?.generation !== sent.generation) return { effect: 'ignored', row }
  const isLatest = row.updatedAt === sent.updatedAt
  const settled = { effect: 'settled', row: isLatest ? undefined : stopSending(row) } as const
  switch (outcome.status) {
    case 'stored':
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
