import type { EpochMs, UserNumber, WebhookEventType } from '@saldo/core'
import { expect, test } from 'vitest'
import { addPing } from '../../../src/store/records/webhook-deliveries.ts'
import { type DeliveryState, type DueDelivery, WebhookStore } from '../../../src/store/users/webhooks.ts'
import { closedWeek, uuidOf } from '../samples.ts'
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

  async function addWebhook(user: UserNumber, name: string, event: WebhookEventType = 'week.closed') {
    const id = uuidOf(name)
    const times = { created_at: AT, failing_since: null, disabled: null } as const
    await store().add(user, 'sealed', { id, url: `https://${user}.example/${name}`, events: [event], ...times }, 5)
    return { user, webhookId: id }
  }

  /** A webhook, another one of its user, and one of another user that has the same id. */
  async function threeWebhooks(event?: WebhookEventType) {
    const [user, other] = [await contract.user(), await contract.user()]
    const first = await addWebhook(user, 'first', event)
    return [first, await addWebhook(user, 'second', event), await addWebhook(other, 'first', event)] as const
  }

  const pingTimes = (count: number, { user, webhookId }: { user: UserNumber; webhookId: string }) =>
    contract.driver.write(async (sql) => {
      for (let number = 1; number <= count; number += 1) await addPing(sql, user, webhookId, `msg_${number}`, number)
    })

  /** A user with a webhook and pings that are due at 1, 2, … */
  async function userWithPings(count: number): Promise<{ user: UserNumber; webhookId: string }> {
    const user = await contract.user()
    const { webhookId } = await addWebhook(user, `of ${user}`)
    for (let number = 1; number <= count; number += 1) await store().ping(user, webhookId, `msg_${number}`, number)
    return { user, webhookId }
  }

  const dueOf = async (user: UserNumber, nowMs: number) =>
    (await store().due(nowMs, 1_000, { webhooks: [], users: [] })).filter((delivery) => delivery.user === user)

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

  test('[D22.13] [D22.11] failed tries of a webhook change no other one, even one of the same id', async () => {
    const webhooks = await threeWebhooks()
    for (const webhook of webhooks) await pingTimes(3, webhook)
    const [{ user, webhookId }, second, same] = webhooks
    const own = (await dueOf(user, 3)).filter((delivery) => delivery.webhookId === webhookId)
    expect(own.map(({ url }) => url)).toEqual(Array(3).fill(`https://${user}.example/first`))
    const others = async () => ({
      deliveries: [
        await store().deliveries(second.user, second.webhookId),
        await store().deliveries(same.user, same.webhookId),
      ],
      due: (await store().due(3, 1_000, { webhooks: [], users: [] })).filter(
        (delivery) => delivery.user === same.user || delivery.webhookId === second.webhookId,
      ),
      rows: [(await store().list(user)).find(({ id }) => id === second.webhookId), ...(await store().list(same.user))],
    })
    const before = await others()
    expect(before.due).toHaveLength(6)
    const [first, next] = own
    await finish(first, '500', { ...waiting, othersWaitUntilMs: PAUSE_END_MS })
    await finish(next, '410', { state: 'failed', dueMs: null, failingSince: AT, disabled: 'gone' })
    expect(await others()).toEqual(before)
  })

  test('[D22.14] the log of each webhook keeps 100 ended deliveries, and those that wait', async () => {
    const webhooks = await threeWebhooks()
    for (const webhook of webhooks) await pingTimes(60, webhook)
    const finishFirst = async ({ user, webhookId }: (typeof webhooks)[number], count: number) => {
      const own = (await dueOf(user, 1_000)).filter((delivery) => delivery.webhookId === webhookId)
      await Promise.all(own.slice(0, count).map((delivery) => finish(delivery, '204', delivered)))
    }
    for (const webhook of webhooks) await finishFirst(webhook, 55)
    await pingTimes(50, webhooks[0])
    await finishFirst(webhooks[0], 50)
    const counts = () => Promise.all(webhooks.map(({ user }) => contract.rowsOf('webhook_deliveries', user)))
    const [own = 0, , other] = await counts()
    // Five of each wait.
    expect([own, other]).toEqual([105 + 60, 60])
  })

  test('[D22.7] [D22.14] each webhook has a waiting balance and a limit of its own', async () => {
    const webhooks = await threeWebhooks('balance.changed')
    for (const webhook of webhooks) await pingTimes(600, webhook)
    const weekOf = (deltaMs: number) => closedWeek('week', '2026-W10', '2026-03-02', deltaMs)
    for (const { user } of [webhooks[2], webhooks[0], webhooks[0]]) {
      for (const deltaMs of [1, 2]) await contract.put(user, weekOf(deltaMs))
    }
    const waitingOf = ({ user, webhookId }: (typeof webhooks)[number]) =>
      contract.driver.all(
        `SELECT type, COUNT(*) AS count FROM webhook_deliveries
         WHERE user_id = $1 AND webhook_id = $2 AND state = 'waiting' GROUP BY type ORDER BY type`,
        [user, webhookId],
      )
    for (const webhook of webhooks) {
      expect(await waitingOf(webhook)).toEqual([
        { type: 'balance.changed', count: 1 },
        { type: 'ping', count: 600 },
      ])
    }
  })
}
