import { expiryId, expiryOf } from '@saldo/core'
import { beforeEach, expect, test } from 'vitest'
import { serviceOfFile } from '../file-service.ts'
import { hours, settings, work } from './samples.ts'
import { TestAccount } from './test-account.ts'

let account: TestAccount
const service = await serviceOfFile()
beforeEach(async () => {
  service.clock.set('2026-11-20T12:00:00.000Z')
  account = await TestAccount.open(service)
})

/** Nothing is planned, so that each hour worked adds to the balance. */
const rule = (from: string, period_ends: string[], keep_at_most_ms: number | null) =>
  settings(from, {
    target_ms: Array(7).fill(0),
    limits: { green_ms: 0, yellow_ms: 0, period_ends, keep_at_most_ms },
  })
const proposals = async () => (await account.call('GET', '/api/account/proposals')).body.items

/** Works on Monday, Wednesday and Friday of week 45, the period of which ends on Wednesday, and closes the week. */
async function endedPeriod() {
  const row = await account.post('settings_history', rule('2026-11-02', ['11-04'], hours(3)))
  await account.post('balance_adjustments', {
    kind: 'opening',
    effective_date: '2026-11-01',
    delta_ms: hours(1),
    reason: 'x',
  })
  const monday = await account.post('entries', work('2026-11-02T08:00Z', '2026-11-02T12:00Z'))
  await account.post('entries', work('2026-11-04T08:00Z', '2026-11-04T10:00Z'))
  await account.post('entries', work('2026-11-06T08:00Z', '2026-11-06T18:00Z'))
  await account.closeWeek('2026-W45')
  const id = expiryId(account.user, '2026-11-04')
  const proposal = {
    period_end: '2026-11-04' as const,
    state: 'open',
    balance_ms: hours(7),
    keep_at_most_ms: hours(3),
    excess_ms: hours(4),
    expired_ms: null,
    adjustment_id: id,
    settings_id: row,
  }
  return { id, monday, proposal } as const
}

test('[D2.37] [D18.9] without limits, or with ones that let nothing expire, there are no proposals', async () => {
  expect(await proposals()).toEqual([])
  await account.post('settings_history', settings('2026-11-02'))
  await account.closeWeek('2026-W45')
  expect(await proposals()).toEqual([])
  await account.post('settings_history', rule('2026-11-02', ['11-04'], null))
  expect(await proposals()).toEqual([])
})

test('[D18.5] [D18.9] a period that ends within a week is proposed with its closed days up to that date', async () => {
  const { proposal } = await endedPeriod()
  expect(await proposals()).toEqual([proposal])
  await account.expectCorrect()
})

test('[D18.5] whole weeks before the period ends count as their days do', async () => {
  const { proposal } = await endedPeriod()
  await account.post('settings_history', rule('2026-11-09', ['11-11'], hours(3)))
  await account.post('entries', work('2026-11-10T08:00Z', '2026-11-10T09:00Z'))
  await account.closeWeek('2026-W46')
  await account.post('balance_adjustments', expiryOf(proposal, 'decline', 'x'), proposal.adjustment_id)
  expect(await proposals()).toMatchObject([{ state: 'declined' }, { state: 'open', balance_ms: hours(18) }])
})

test('[D18.2] [D18.6] an accepted proposal is an ordinary adjustment, and deleting it opens it again', async () => {
  const { id, proposal } = await endedPeriod()
  const { balance_ms: before } = await account.balance()
  await account.post('balance_adjustments', expiryOf(proposal, 'accept', 'over 3 h'), id)
  expect(await proposals()).toEqual([{ ...proposal, state: 'accepted', expired_ms: hours(4) }])
  expect((await account.balance()).balance_ms).toBe(before - hours(4))
  await account.expectCorrect()
  await account.delete('balance_adjustments', id)
  expect(await proposals()).toEqual([proposal])
})

test('[D2.21] [D18.6] a declined proposal is an expiry of nothing, and stays declined after a late edit', async () => {
  const { id, monday, proposal } = await endedPeriod()
  const { balance_ms: before } = await account.balance()
  await account.post('balance_adjustments', expiryOf(proposal, 'decline', 'agreed with HR'), id)
  expect(await proposals()).toEqual([{ ...proposal, state: 'declined', expired_ms: 0 }])
  expect((await account.balance()).balance_ms).toBe(before)
  await account.put('entries', monday, work('2026-11-02T08:00Z', '2026-11-02T13:00Z'))
  expect(await proposals()).toMatchObject([{ state: 'declined', excess_ms: hours(5), expired_ms: 0 }])
})

test('[D18.8] a late edit of an accepted period shows both amounts, and changes no adjustment', async () => {
  const { id, monday, proposal } = await endedPeriod()
  await account.post('balance_adjustments', expiryOf(proposal, 'accept', 'x'), id)
  await account.put('entries', monday, work('2026-11-02T08:00Z', '2026-11-02T13:00Z'))
  const [changed] = await proposals()
  expect(changed).toMatchObject({ state: 'changed', excess_ms: hours(5), expired_ms: hours(4) })
  await account.expectCorrect()
  await account.put('balance_adjustments', id, expiryOf(changed, 'accept', 'x'))
  expect(await proposals()).toMatchObject([{ state: 'accepted', expired_ms: hours(5) }])
})

test('[D18.6] [D18.8] an edited decision remains one, as a payout of another amount on another day too', async () => {
  const { id, proposal } = await endedPeriod()
  await account.post('balance_adjustments', expiryOf(proposal, 'accept', 'x'), id)
  const payout = { kind: 'payout', effective_date: '2026-11-06', delta_ms: -hours(1), reason: 'paid' }
  await account.put('balance_adjustments', id, payout)
  expect(await proposals()).toEqual([{ ...proposal, state: 'changed', expired_ms: hours(1) }])
  await account.put('balance_adjustments', id, { ...payout, delta_ms: -hours(4) })
  expect(await proposals()).toEqual([{ ...proposal, state: 'accepted', expired_ms: hours(4) }])
  await account.delete('balance_adjustments', id)
  expect(await proposals()).toEqual([proposal])
})

test('[D18.9] a decision stays while its week is open again, and shows another excess once it is closed', async () => {
  const { id, monday, proposal } = await endedPeriod()
  await account.post('balance_adjustments', expiryOf(proposal, 'accept', 'x'), id)
  await account.reopenWeek('2026-W45')
  const noneClosed = { balance_ms: hours(1), excess_ms: 0, expired_ms: hours(4) }
  expect(await proposals()).toEqual([{ ...proposal, ...noneClosed, state: 'accepted' }])
  await account.put('entries', monday, work('2026-11-02T08:00Z', '2026-11-02T13:00Z'))
  await account.closeWeek('2026-W45')
  expect(await proposals()).toMatchObject([{ state: 'changed', excess_ms: hours(5), expired_ms: hours(4) }])
})

test('[D18.4] a reopened week takes the proposal back until it is closed again', async () => {
  const { proposal } = await endedPeriod()
  await account.reopenWeek('2026-W45')
  expect(await proposals()).toEqual([])
  await account.closeWeek('2026-W45')
  expect(await proposals()).toEqual([proposal])
})
