import type { PushResult } from '@saldo/core'
import type { JobTask } from './store/store.ts'

/** What the service tells of its work while it does it. It names routes, kinds and outcomes, never users or records. */
export interface Meter {
  /** The head of an answer has left, so long after its request came. */
  answered(answer: { route: string; method: string; status: number; seconds: number }): void
  /** So many writes shared a commit. */
  committed(writes: number): void
  /** A change of a push came to this. */
  pushed(status: PushResult['status']): void
  /** A pull was answered with changes or a page of a snapshot, or refused. */
  pulled(outcome: 'changes' | 'snapshot' | 'stale' | 'invalid_cursor'): void
  /** So many users were found to have work due, of those that are looked for at once. */
  foundDue(users: number): void
  /** A piece of such work was done. */
  worked(kind: JobTask['kind']): void
  /** A piece of such work failed; it is tried again. */
  workFailed(): void
}

/** Where nobody asks for metrics. */
export const noMeter: Meter = {
  answered() {},
  committed() {},
  pushed() {},
  pulled() {},
  foundDue() {},
  worked() {},
  workFailed() {},
}
