import type { Saldo } from '@saldo/client'
import type { EntryInput } from '@saldo/core'
import { expect, test } from 'vitest'
import { eachWithPhone, type Harness } from './harness.ts'

let harness: Harness
let phone: Saldo
eachWithPhone((opened, device) => {
  harness = opened
  phone = device
})

const late: EntryInput = {
  kind: 'work',
  started_at: '2026-10-07T08:00:00.000Z',
  ended_at: '2026-10-07T16:00:00.000Z',
  note: 'on the train',
}
const codes = async () =>
  (await phone.rejectedChanges.list().read()).map(({ problem, change }) => [problem.code, change.content?.note])

/** Records something while the device is offline and HR locks October. */
async function recordOffline(entry: EntryInput) {
  harness.cutOff('phone')
  const { id } = await phone.entries.create(entry).settled
  await harness.lockMonths(['2026-10'])
  await harness.connect('phone', phone)
  return id
}

test('[D27.8] [D27.10] a late edit of a locked month stays on the device until a request holds it', async () => {
  const id = await recordOffline(late)
  expect(await codes()).toEqual([['locked', 'on the train']])
  const [rejected] = await phone.rejectedChanges.list().read()
  if (!rejected) throw new Error('nothing was rejected')
  const { kind, content, updatedAt } = rejected.change
  const changes = [{ kind, op: 'upsert', record: { ...content, id, updated_at: updatedAt } }]
  const request = { kind: 'request', asks: 'change', date: '2026-10-07', last_date: '2026-10-07', changes } as const
  const asked = await phone.entries.create(request).settled
  await phone.rejectedChanges.discard(rejected)
  await phone.sync()
  const stored = await harness.ask(`/api/entries/${asked.id}`)
  expect(stored).toMatchObject({ changes: [{ record: { note: 'on the train' } }] })
  expect(await codes()).toEqual([])
  // One that is sent at once stays, too.
  expect(await phone.entries.create({ ...late, note: 'online' }).settled).toMatchObject({ result: 'queued' })
  expect(await codes()).toEqual([['locked', 'online']])
})

test('[D27.9] work that runs and is rejected runs on in the list, where it is stopped', async () => {
  await recordOffline({ ...late, started_at: '2026-10-31T20:00:00.000Z', ended_at: null })
  const [running] = await phone.rejectedChanges.list().read()
  expect(running?.change.content).toMatchObject({ started_at: '2026-10-31T20:00:00.000Z', ended_at: null })
  if (running) await phone.rejectedChanges.edit(running, { ended_at: '2026-10-31T22:00:00.000Z' })
  await phone.sync()
  const [stopped] = await phone.rejectedChanges.list().read()
  expect(stopped?.change.content).toMatchObject({ ended_at: '2026-10-31T22:00:00.000Z' })
})

test('[D27.14] an entry of a locked month that a restore lost is offered, rejected and listed', async () => {
  const backup = await harness.backUp()
  await phone.entries.create(late).settled
  await phone.sync()
  await harness.restore(backup)
  await harness.lockMonths(['2026-10'])
  await phone.sync()
  expect(await codes()).toEqual([['locked', 'on the train']])
  // A second cold start keeps it there.
  const later = { started_at: '2026-11-10T08:00:00.000Z', ended_at: '2026-11-10T16:00:00.000Z' } as const
  await phone.entries.create({ ...late, ...later }).settled
  await harness.restore(backup)
  await phone.sync()
  expect(await codes()).toEqual([['locked', 'on the train']])
})
