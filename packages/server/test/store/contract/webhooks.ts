import type { EpochMs, UserNumber } from '@saldo/core'
import { expect, test } from 'vitest'
import { type DeliveryState, type DueDelivery, WebhookStore } from '../../../src/store/users/webhooks.ts'
import { uuidOf } from '../samples.ts'
import type { Contract } from './kit.ts'

const AT = '2026-11-21T12:00:00.000Z'
const LEASE_END_MS: EpochMs = 60_000
const PAUSE_END_MS: EpochMs = 60_000
const RETRY_MS: EpochMs = 600_000

const delivered: DeliveryState = { state: 'delivered', dueMs: null, failingSince: null, disabled: null }
const waiting: DeliveryState = { state: 'waiting', dueMs: RETRY_MS, failingSince: AT, disabled: null }

/** Deliveries to webhooks, between several nodes. */
export function webhooksContract(contract: Contract): void {
  const store = () => new WebhookStore(contract.driver)

  /** A user with a webhook and pings that are due at 1, 2, … */
  async function userWithPings(count: number): Promise<{ user: UserNumber; webhookId: string }> {
    const user = await contract.user()
    const webhookId = uuidOf(user)
    const times = { created_at: AT, failing_since: null, disabled: null } as const
    const webhook = { id: webhookId, url: 'https://example.com', events: ['week.closed' as const], ...times }
    await store().add(user, 'sealed', webhook, 1)
    for (let number = 1; number <= count; number += 1) await store().ping(user, webhookId, `msg_${number}`, number)
    return { user, webhookId }
  }

  const dueOf = async (user: UserNumber, nowMs: number) =>
    (await store().due(nowMs, 1_000, [])).filter((delivery) => delivery.user === user)

  const finish = (delivery: DueDelivery | undefined, result: string, state: DeliveryState) =>
    store().finish(delivery as DueDelivery, { at: AT, result }, () => state)

  test('[D22.13] one of two nodes begins an attempt, and the other one may after its lease', async () => {
    const { user } = await userWithPings(1)
    const [found] = await dueOf(user, 1)
    expect(await store().claim(found as DueDelivery, LEASE_END_MS)).toBe(true)
    expect(await store().claim(found as DueDelivery, LEASE_END_MS)).toBe(false)
    expect(await dueOf(user, LEASE_END_MS - 1)).toEqual([])
    expect(await dueOf(user, LEASE_END_MS)).toMatchObject([{ messageId: 'msg_1', attempts: 1 }])
  })

  test('[D22.9] a late result of another node does not change a delivery that has arrived', async () => {
    const { user, webhookId } = await userWithPings(1)
    const [late] = await dueOf(user, 1)
    await store().claim(late as DueDelivery, LEASE_END_MS)
    const [next] = await dueOf(user, LEASE_END_MS)
    await store().claim(next as DueDelivery, 2 * LEASE_END_MS)
    await finish(next, '204', delivered)
    await finish(late, 'timeout', waiting)
    expect(await store().deliveries(user, webhookId)).toMatchObject([
      { state: 'delivered', result: '204', next_attempt_at: null, attempts: 2 },
    ])
    expect(await dueOf(user, Number.MAX_SAFE_INTEGER)).toEqual([])
  })

  test('[D22.11] a late result does not change the failed deliveries of a webhook that is off', async () => {
    const { user, webhookId } = await userWithPings(2)
    const [late, other] = await dueOf(user, 2)
    await finish(other, '410', { state: 'failed', dueMs: null, failingSince: AT, disabled: 'gone' })
    await finish(late, '500', { ...waiting, disabled: 'gone' })
    expect(await store().deliveries(user, webhookId)).toMatchObject([
      { state: 'failed', result: '410', next_attempt_at: null },
      { state: 'failed', result: null, next_attempt_at: null },
    ])
    expect(await store().list(user)).toMatchObject([{ disabled: 'gone' }])
  })

  test('[D22.13] after a failed try the others wait, and those whose turn comes later keep it', async () => {
    const { user, webhookId } = await userWithPings(3)
    const [first, second] = await dueOf(user, 3)
    await finish(first, '500', waiting)
    await finish(second, '500', { ...waiting, dueMs: 2 * RETRY_MS, othersWaitUntilMs: PAUSE_END_MS })
    const times = (await dueOf(user, Number.MAX_SAFE_INTEGER)).map(({ messageId, dueMs }) => [messageId, dueMs])
    expect(times).toEqual([
      ['msg_3', PAUSE_END_MS],
      ['msg_1', RETRY_MS],
      ['msg_2', 2 * RETRY_MS],
    ])
    expect(await store().deliveries(user, webhookId)).toHaveLength(3)
  })
}
