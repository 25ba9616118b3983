import { InvalidRecordError, type Saldo, UnsentChangesError } from '@saldo/client'
import type { ContentInput, RecordId } from '@saldo/core'
import { expect, onTestFinished, test } from 'vitest'
import { eachWithPhone, Harness } from './harness.ts'

let harness: Harness
let phone: Saldo
eachWithPhone((opened, device) => {
  harness = opened
  phone = device
})

test('[D7.28] a record that this program cannot read is kept, counted and not shown', async () => {
  const { id } = await phone.entries.create({ kind: 'sick', date: '2026-11-17' }).settled
  const strange = { kind: 'hibernation', id: crypto.randomUUID(), since: 'autumn' }
  harness.rewrite('phone', (path, body) => {
    if (!path.includes('since=')) return body
    const record = { ...strange, created_at: null, updated_at: body.server_time, version: body.version } as never
    return { ...body, changes: { ...body.changes, entries: [...(body.changes.entries ?? []), record] } }
  })
  await phone.sync()
  expect(await phone.status.read()).toMatchObject({ unreadable: 1, state: 'idle' })
  expect((await phone.entries.all().read()).map(({ record }) => record.id)).toEqual([id])
  expect(await phone.entries.between({ from: '2026-01-01', to: '2026-12-31' }).read()).toHaveLength(1)
  expect(await phone.account.balance().read()).toMatchObject({ confirmedMs: 0 })
})

const schedule = {
  effective_from: '2026-11-02',
  time_zone: 'Europe/Berlin',
  target_ms: [...Array(5).fill(28_800_000), 0, 0] as ContentInput<'settings_history'>['target_ms'],
}

test('[D7.41] closings lost by a restore are listed until they are closed again or dismissed', async () => {
  await phone.settings.create(schedule).settled
  await phone.sync()
  const backup = await harness.backUp()
  for (const week of ['2026-W45', '2026-W46'] as const) await phone.weeks.close(week)
  await phone.sync()
  await harness.restore(backup)
  await phone.sync()
  const lost = phone.account.lostClosings()
  expect(await lost.read()).toEqual({ weeks: ['2026-W45', '2026-W46'], days: [] })
  await phone.weeks.close('2026-W45')
  await phone.sync()
  expect(await lost.read()).toEqual({ weeks: ['2026-W46'], days: [] })
  await phone.account.forgetLostClosings()
  expect(await lost.read()).toEqual({ weeks: [], days: [] })
})

test('[D7.41] each day that a restore lost is listed until it is closed again', async () => {
  await phone.settings.create(schedule).settled
  await phone.sync()
  const backup = await harness.backUp()
  for (const date of ['2026-11-16', '2026-11-17'] as const) await phone.days.close(date)
  await phone.sync()
  await harness.restore(backup)
  await phone.sync()
  const lost = phone.account.lostClosings()
  expect(await lost.read()).toEqual({ weeks: [], days: ['2026-11-16', '2026-11-17'] })
  await phone.days.close('2026-11-17')
  await phone.sync()
  expect(await lost.read()).toEqual({ weeks: [], days: ['2026-11-16'] })
})

/** Two of them exceed the sum that the adjustments of a user can reach. */
const huge = { effective_date: '2026-11-17', delta_ms: 3 * 2 ** 50, kind: 'correction', reason: 'huge' } as const

async function firstRejectedChange() {
  const [rejected] = await phone.rejectedChanges.list().read()
  if (!rejected) throw new Error('nothing was rejected')
  return rejected
}

/** Pushes a change that the service rejects. */
async function makeRejectedChange() {
  await phone.balanceAdjustments.create(huge).settled
  harness.cutOff('phone')
  await phone.balanceAdjustments.create(huge).settled
  await harness.connect('phone', phone)
  return firstRejectedChange()
}

test('[D7.49] forgetting a device asks if it has rejected changes', async () => {
  await makeRejectedChange()
  expect(await phone.status.read()).toMatchObject({ unsent: 0, rejected: 1 })
  await expect(phone.forget()).rejects.toThrow(UnsentChangesError)
  expect(await phone.rejectedChanges.list().read()).toHaveLength(1)
})

test('[D7.20] a rejected change can be edited and resent; it is listed again if it is rejected again', async () => {
  const first = await makeRejectedChange()
  await phone.rejectedChanges.edit(first, { delta_ms: 3 * 2 ** 50 + 1 })
  await phone.sync()
  const [second] = await phone.rejectedChanges.list().read()
  expect(second?.change).toMatchObject({ id: first.change.id, content: { delta_ms: 3 * 2 ** 50 + 1 } })
  await phone.rejectedChanges.edit(second ?? first, { delta_ms: 1 })
  await phone.sync()
  expect(await phone.rejectedChanges.list().read()).toEqual([])
  expect(await harness.ask(`/api/balance/adjustments/${first.change.id}`)).toMatchObject({ delta_ms: 1 })
})

test('[D7.20] deleting an edited rejected change deletes the record that the service has', async () => {
  await phone.balanceAdjustments.create(huge).settled
  await phone.sync()
  harness.change('phone', '/api', () => ({ outcome: 'retryable', retryAfterMs: 0 }))
  const { id } = await phone.balanceAdjustments.create({ ...huge, delta_ms: 1 }).settled
  harness.cutOff('phone')
  await phone.sync()
  await phone.balanceAdjustments.update(id, { delta_ms: 3 * 2 ** 50 }).settled
  harness.change('phone', '/api', (reply, path) =>
    path.startsWith('/api/sync/push') ? reply : { outcome: 'retryable', retryAfterMs: 0 },
  )
  await harness.connect('phone', phone)
  const rejected = await firstRejectedChange()
  harness.cutOff('phone')
  await phone.entries.create({ kind: 'sick', date: '2026-11-17' }).settled
  await phone.rejectedChanges.edit(rejected, { delta_ms: 2 })
  await phone.balanceAdjustments.delete(id).settled
  harness.change('phone', '/api', (reply) => reply)
  await harness.connect('phone', phone)
  expect(await phone.balanceAdjustments.all().read()).toMatchObject([{ record: { delta_ms: 3 * 2 ** 50 } }])
})

test('[D7.20] a rejected change stays listed if a newer change prevents its retry', async () => {
  const rejected = await makeRejectedChange()
  const { id } = rejected.change
  harness.cutOff('phone')
  harness.nowMs += 1
  await phone.balanceAdjustments.create({ ...huge, delta_ms: 1 }, { id }).settled
  await phone.rejectedChanges.retry(rejected)
  expect(await phone.rejectedChanges.list().read()).toEqual([rejected])
  expect(await phone.outbox.list().read()).toMatchObject([{ id, content: { delta_ms: 1 } }])
})

test('[D7.20] a rejected change that is retried twice is sent once', async () => {
  const rejected = await makeRejectedChange()
  harness.cutOff('phone')
  await phone.rejectedChanges.retry(rejected)
  // An attempt to send it fails, and the next one comes later.
  await phone.sync()
  const waiting = await phone.outbox.list().read()
  expect(waiting).toMatchObject([rejected.change])
  await phone.rejectedChanges.retry(rejected)
  expect(await phone.outbox.list().read()).toEqual(waiting)
})

test('[D7.22] a change with the winning result is no conflict; an undefined field counts as absent', async () => {
  const laptop = await harness.device('laptop')
  const { id } = await phone.entries.create({ kind: 'sick', date: '2026-11-17' }).settled
  await laptop.sync()
  await phone.entries.update(id, { note: 'ill', ticket: undefined }).settled
  await laptop.sync()
  for (const name of ['phone', 'laptop']) harness.cutOff(name)
  await phone.entries.delete(id).settled
  harness.nowMs += 60_000
  await laptop.entries.delete(id).settled
  await harness.connect('laptop', laptop)
  await harness.connect('phone', phone)
  for (const device of [phone, laptop]) expect(await device.conflicts.list().read()).toEqual([])
  expect(await laptop.entries.all().read()).toEqual([])
})

test('[D1.9] an id that the service would reject is rejected by the client', async () => {
  const upper = '6D3F0B0E-8A55-4A52-9B55-6B0F0C1D2E3F'
  const sick = { kind: 'sick', date: '2026-11-17' } as const
  await expect(phone.entries.create(sick, { id: upper }).settled).rejects.toThrow(InvalidRecordError)
  expect(await phone.status.read()).toMatchObject({ unsent: 0 })
})

test('[D6.22] [D7.20] what a full user writes is kept, and goes through once there is room', async () => {
  const full = await Harness.open(undefined, { quotaBytes: 20_000 })
  onTestFinished(() => full.close())
  const device = await full.device('phone')
  const note = 'x'.repeat(4_000)
  const ids: RecordId[] = []
  for (let n = 0; n < 6; n += 1)
    ids.push((await device.entries.create({ kind: 'sick', date: '2026-11-17', note }).settled).id)
  await device.sync()
  const rejected = await device.rejectedChanges.list().read()
  expect(rejected.map(({ problem }) => problem.code)).toEqual(Array(rejected.length).fill('quota_exceeded'))
  expect(rejected.map(({ change }) => change.id)).toEqual(ids.slice(-rejected.length))
  expect(rejected.length).toBeGreaterThan(0)
  for (const id of ids.slice(0, 3)) await device.entries.delete(id).settled
  for (const each of rejected) await device.rejectedChanges.retry(each)
  await device.sync()
  expect(await device.rejectedChanges.list().read()).toEqual([])
  for (const { change } of rejected) expect(await full.ask(`/api/entries/${change.id}`)).toMatchObject({ note })
})
