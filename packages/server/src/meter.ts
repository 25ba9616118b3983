import type { MailDelivery, PushResult, WebhookDelivery } from '@saldo/core'
import type { JobTask } from './store/job-task.ts'

/** Receives measurements of the service. They name routes, kinds and outcomes, never users or records. */
export interface Meter {
  /** The headers of a response were sent this long after the request arrived. */
  answered(response: { route: string; method: string; status: number; seconds: number }): void
  committed(writes: number): void
  pushed(status: PushResult['status']): void
  /** A pull was answered with changes or a snapshot page, or refused. */
  pulled(outcome: 'changes' | 'snapshot' | 'stale' | 'invalid_cursor'): void
  foundDue(users: number): void
  judgedClock(isInDoubt: boolean): void
  ranPiece(kind: JobTask['kind']): void
  /** One piece of a job failed; it will be retried. */
  pieceFailed(): void
  /** An attempt to deliver to a webhook ended; `waiting` if it failed and will be repeated. */
  triedWebhook(outcome: WebhookDelivery['state']): void
  mailed(outcome: MailDelivery): void
}

export const noMeter: Meter = {
  answered() {},
  committed() {},
  pushed() {},
  pulled() {},
  foundDue() {},
  judgedClock() {},
  ranPiece() {},
  pieceFailed() {},
  triedWebhook() {},
  mailed() {},
}
