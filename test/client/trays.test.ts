import type { Saldo } from '@saldo/client'
import type { Draft } from '@saldo/core'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { House } from './harness.ts'

let house: House
let phone: Saldo
beforeEach(async () => {
  house = await House.open()
  phone = await house.device('phone')
})
afterEach(() => house.close())

test('[D7] a record that this program cannot read is kept, counted, and shown to nobody', async () => {
  const { id } = await phone.entries.create({ kind: 'sick', date: '2026-11-17' })
  const strange = { kind: 'hibernation', id: crypto.randomUUID(), since: 'autumn' }
  house.rewrite('phone', (path, body) => {
    if (!path.includes('since=')) return body
    const record = { ...strange, created_at: null, updated_at: body.server_time, version: body.version } as never
    return { ...body, changes: { ...body.changes, entries: [...(body.changes.entries ?? []), record] } }
  })
  await phone.sync()
  expect(await phone.status.read()).toMatchObject({ unreadable: 1, state: 'idle' })
  expect((await phone.entries.all().read()).map(({ record }) => record.id)).toEqual([id])
  expect(await phone.entries.between({ from: '2026-01-01', to: '2026-12-31' }).read()).toHaveLength(1)
})

const schedule = {
  effective_from: '2026-11-02',
  time_zone: 'Europe/Berlin',
  target_ms: [...Array(5).fill(28_800_000), 0, 0] as Draft<'settings_history'>['target_ms'],
}

test('[D7] closings that a restored service lacks are told, until they are closed again or forgotten', async () => {
  await phone.settings.create(schedule)
  await phone.sync()
  const backup = await house.backUp()
  for (const week of ['2026-W45', '2026-W46']) await phone.weeks.close(week)
  await phone.sync()
  await house.restore(backup)
  await phone.sync()
  const lost = phone.account.lostClosings()
  expect(await lost.read()).toEqual({ weeks: ['2026-W45', '2026-W46'], days: [] })
  await phone.weeks.close('2026-W45')
  await phone.sync()
  expect(await lost.read()).toEqual({ weeks: ['2026-W46'], days: [] })
  await phone.account.forgetLostClosings()
  expect(await lost.read()).toEqual({ weeks: [], days: [] })
})

test('[D7] a refused change can be sent anew with other fields; what is refused once more is in the tray again', async () => {
  const huge = { effective_date: '2026-11-17', delta_ms: 3 * 2 ** 50, kind: 'correction', reason: 'huge' } as const
  await phone.balanceAdjustments.create(huge)
  house.cutOff('phone')
  await phone.balanceAdjustments.create(huge)
  await house.connect('phone', phone)
  const [first] = await phone.rejected.list().read()
  if (!first) throw new Error('nothing was refused')
  await phone.rejected.edit(first, { delta_ms: 3 * 2 ** 50 + 1 })
  await phone.sync()
  const [second] = await phone.rejected.list().read()
  expect(second?.edit).toMatchObject({ id: first.edit.id, content: { delta_ms: 3 * 2 ** 50 + 1 } })
  await phone.rejected.edit(second ?? first, { delta_ms: 1 })
  await phone.sync()
  expect(await phone.rejected.list().read()).toEqual([])
  expect(await house.ask(`/api/balance/adjustments/${first.edit.id}`)).toMatchObject({ delta_ms: 1 })
})
