import type { EpochMs, WebhookEvent } from '@saldo/core'
import type { UserWriter } from '../store/store.ts'
import type { StoredGrant } from '../store/team/team-store.ts'
import { rolesInForce } from './roles-in-force.ts'

/** Stores deliveries of events of a company for the webhooks of its HR (D22.16). Most writes have none. */
export async function tellWebhooks(
  writer: UserWriter,
  companyId: number,
  events: readonly WebhookEvent[],
  nowMs: EpochMs,
): Promise<void> {
  if (events.length === 0) return
  await tellWebhooksOf(writer, { companyId, grants: await rolesInForce(writer.team, companyId, nowMs) }, events)
}

/** Does the same where the roles in force are known. */
export async function tellWebhooksOf(
  writer: UserWriter,
  { companyId, grants }: { companyId: number; grants: readonly StoredGrant[] },
  events: readonly WebhookEvent[],
): Promise<void> {
  const hrs = grants.filter(({ role }) => role === 'hr').map(({ user }) => user)
  await writer.putCompanyDeliveries(events, { company: companyId, hrs: [...new Set(hrs)] })
}
