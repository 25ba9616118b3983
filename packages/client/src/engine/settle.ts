import { contentOf, jsonEqual, type Problem } from '@saldo/core'
import type { Held } from './base-record.ts'
import { type Edit, type Pending, release } from './outbox.ts'

/** What the service says of an edit that was sent to it (D6). */
export type Answer =
  | { status: 'stored'; stands: Held }
  /** Another state stands. */
  | { status: 'superseded'; stands: Held }
  | { status: 'rejected'; problem: Problem }
  /** Of a kind that only the service writes. */
  | { status: 'skipped' }

/** What an answer means for a device. */
export interface Settlement {
  /** Whether the answer counts. */
  counts: boolean
  /** It does not, since it tells of another history than the one that is known here. */
  isForeign?: boolean
  /** The outbox row, where there still is something to send. */
  pending: Pending | undefined
  /** What the service has now, as far as the answer tells. */
  stands?: Held
  /** The edit lost; both states, for «take mine back». */
  overridden?: { mine: Edit; theirs: Held }
  /** The edit was refused and goes to the tray. */
  refused?: { edit: Edit; problem: Problem }
}

/**
 * Settles exactly the state that was sent: an edit made meanwhile has a time of its own and stays pending, whatever became
 * of the one before (D7). An answer counts only where no other request has carried the row since: one that comes after
 * the history was replaced tells of the other history.
 */
export function settle(pending: Pending | undefined, sent: Pending, answer: Answer): Settlement {
  if (pending?.attempts !== sent.attempts) return { counts: false, pending }
  const settles = pending.updatedAt === sent.updatedAt
  const settled = { counts: true, pending: settles ? undefined : release(pending) }
  switch (answer.status) {
    case 'stored':
      return { ...settled, stands: answer.stands }
    case 'superseded': {
      const { stands } = answer
      const isLost = settles && !isAsWanted(stands, sent)
      return isLost ? { ...settled, stands, overridden: { mine: sent, theirs: stands } } : { ...settled, stands }
    }
    case 'rejected':
      return settles ? { ...settled, refused: { edit: sent, problem: answer.problem } } : settled
    case 'skipped':
      return settled
  }
}

/** Whether what stands is what the edit wanted, whoever made it. */
function isAsWanted({ record }: Held, { content }: Edit): boolean {
  if (record === null || content === null) return record === content
  return jsonEqual(contentOf(record), content)
}
