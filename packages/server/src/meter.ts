import type { PushResult } from '@saldo/core'
import type { JobTask } from './store/store.ts'

/** Receives measurements of the service. They name routes, kinds and outcomes, never users or records. */
export interface Meter {
  /** The headers of a response were sent this long after the request arrived. */
  answered(answer: { route: string; method: string; status: number; seconds: number }): void
  /** One commit contained this many writes. */
  committed(writes: number): void
  /** A pushed change had this result. */
  pushed(status: PushResult['status']): void
  /** A pull was answered with changes or a snapshot page, or refused. */
  pulled(outcome: 'changes' | 'snapshot' | 'stale' | 'invalid_cursor'): void
  /** One look for due jobs found this many users. */
  foundDue(users: number): void
  /** A run of jobs looked whether the clock is plausible. */
  judgedClock(isInDoubt: boolean): void
  /** One piece of a job succeeded. */
  worked(kind: JobTask['kind']): void
  /** One piece of a job failed; it will be retried. */
  workFailed(): void
}

/** Ignores all measurements. */
export const noMeter: Meter = {
  answered() {},
  committed() {},
  pushed() {},
  pulled() {},
  foundDue() {},
  judgedClock() {},
  worked() {},
  workFailed() {},
}
