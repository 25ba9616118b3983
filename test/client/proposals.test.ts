import type { Saldo } from '@saldo/client'
import { type ExpiryProposal, expiryOf, HOUR_MS } from '@saldo/core'
import { expect, test } from 'vitest'
import { eachWithPhone, type Harness } from './harness.ts'

let harness: Harness
let phone: Saldo
eachWithPhone((opened, device) => {
  harness = opened
  phone = device
})

/**
 * Works four hours on a Monday whose period ends on Tuesday, of which one may be kept, and closes the week. The next
 * week has no limits.
 */
async function endPeriod() {
  const schedule = { time_zone: 'Europe/Berlin', target_ms: Array(7).fill(0) } as const
  await phone.settings.create({ ...schedule, effective_from: '2026-11-16' }).settled
  await phone.settings.create({
    ...schedule,
    effective_from: '2026-11-09',
    limits: { green_ms: 0, yellow_ms: 0, period_ends: ['11-10'], keep_at_most_ms: HOUR_MS },
  }).settled
  const { id } = await phone.entries.create({
    kind: 'work',
    started_at: '2026-11-09T08:00:00Z',
    ended_at: '2026-11-09T12:00:00Z',
  }).settled
  await phone.weeks.close('2026-W46')
  await phone.sync()
  return id
}

const served = async () => (await harness.ask('/api/account/proposals')).items as ExpiryProposal[]
const decide = (device: Saldo, proposal: ExpiryProposal, decision: 'accept' | 'decline') =>
  device.balanceAdjustments.create(expiryOf(proposal, decision, 'so decided'), { id: proposal.adjustment_id }).settled

test('[D18.9] a device proposes what the service does, and offline what it will after the edit', async () => {
  expect(await phone.account.proposals().read()).toEqual([])
  const id = await endPeriod()
  const proposals = await phone.account.proposals().read()
  expect(proposals).toMatchObject([{ period_end: '2026-11-10', state: 'open', excess_ms: 3 * HOUR_MS }])
  expect(await served()).toEqual(proposals)
  harness.cutOff('phone')
  await phone.entries.update(id, { ended_at: '2026-11-09T13:00:00Z' }).settled
  const forecast = await phone.account.proposals().read()
  expect(forecast).toMatchObject([{ state: 'open', excess_ms: 4 * HOUR_MS }])
  await harness.connect('phone', phone)
  expect(await served()).toEqual(forecast)
})

test('[D18.6] two devices that accept offline make one adjustment', async () => {
  await endPeriod()
  const laptop = await harness.device('laptop')
  const [proposal] = (await phone.account.proposals().read()) as [ExpiryProposal]
  for (const name of ['phone', 'laptop']) harness.cutOff(name)
  for (const device of [phone, laptop]) await decide(device, proposal, 'accept')
  await harness.connect('phone', phone)
  await harness.connect('laptop', laptop)
  await phone.sync()
  for (const device of [phone, laptop]) {
    expect(await device.account.proposals().read()).toMatchObject([{ state: 'accepted', expired_ms: 3 * HOUR_MS }])
    expect(await device.account.balance().read()).toMatchObject({ confirmedMs: HOUR_MS })
    expect(await device.conflicts.list().read()).toEqual([])
  }
  expect((await harness.ask('/api/balance')).balance_ms).toBe(HOUR_MS)
})

test('[D18.6] of two devices that disagree, the later decision counts, and the other is a conflict', async () => {
  await endPeriod()
  const laptop = await harness.device('laptop')
  const [proposal] = (await phone.account.proposals().read()) as [ExpiryProposal]
  for (const name of ['phone', 'laptop']) harness.cutOff(name)
  await decide(phone, proposal, 'accept')
  harness.nowMs += HOUR_MS
  await decide(laptop, proposal, 'decline')
  await harness.connect('laptop', laptop)
  await harness.connect('phone', phone)
  await laptop.sync()
  expect(await served()).toMatchObject([{ state: 'declined', expired_ms: 0 }])
  for (const device of [phone, laptop]) expect(await device.account.proposals().read()).toEqual(await served())
  expect(await phone.conflicts.list().read()).toHaveLength(1)
})
