import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runSaldo } from '../../packages/server/test/faults/program.ts'
import { House } from './harness.ts'

let house: House
beforeEach(async () => {
  house = await House.open()
})
afterEach(() => house.close())

const work = (from: string, to: string) => ({
  kind: 'work' as const,
  started_at: `2026-11-${from}:00.000Z`,
  ended_at: `2026-11-${to}:00.000Z`,
  time_zone: 'Europe/Berlin',
})

test('[D4] [D5] [D7] after «saldo restore» of an older «saldo backup», devices bring back by themselves what the service lost', async () => {
  const { folder } = house.address
  const copy = join(folder, 'nightly')
  const saldo = (command: string) => runSaldo([command, copy], { env: { SALDO_DATA_DIR: folder } })
  const phone = await house.device('phone')
  const laptop = await house.device('laptop')
  const kept = await phone.entries.create(work('16T08:00', '16T16:00'))
  const edited = await phone.entries.create(work('17T08:00', '17T16:00'))
  const dropped = await phone.entries.create(work('18T08:00', '18T16:00'))
  await laptop.sync()

  // While the service runs, and devices with it.
  expect(await saldo('backup')).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining(`${copy} holds`) })
  expect(await saldo('backup')).toMatchObject({ code: 1, stderr: expect.stringContaining('never overwritten') })
  house.nowMs += 60_000
  const added = await phone.entries.create(work('19T08:00', '19T16:00'))
  await phone.entries.update(edited.id, { note: 'after the backup' })
  await phone.entries.delete(dropped.id)
  await laptop.sync()
  expect(await saldo('restore')).toMatchObject({ code: 1, stderr: expect.stringContaining('stop it first') })

  await house.whileStopped(async () => {
    const { code, stdout, stderr } = await saldo('restore')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/is kept as .*saldo\.db\.before-restore-/)
    expect(stdout).toMatch(/Devices notice at their next sync/)
  })
  const ofService = async () => (await house.ask('/api/entries')).items.map(({ id, note }: never) => ({ id, note }))
  expect(await ofService()).toHaveLength(3)

  // Whoever comes first heals it; the other has nothing to do but to agree. Writes between make the histories differ.
  house.nowMs += 60_000
  const between = await house.ask('/api/entries', {
    ...work('20T08:00', '20T16:00'),
    note: 'written after the restore',
  })
  await laptop.sync()
  await phone.sync()
  const expected = [
    { id: kept.id, note: '' },
    { id: edited.id, note: 'after the backup' },
    { id: added.id, note: '' },
    { id: between.id, note: 'written after the restore' },
  ]
  const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1)
  expect((await ofService()).sort(byId)).toEqual([...expected].sort(byId))
  for (const device of [phone, laptop]) {
    const items = (await device.entries.all().read()).map(({ record: { id, note } }) => ({ id, note }))
    expect(items.sort(byId)).toEqual([...expected].sort(byId))
    expect(await device.status.read()).toMatchObject({ state: 'idle', pending: 0, rejected: 0 })
  }
})
