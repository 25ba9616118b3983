import { expect } from 'vitest'
import type { Harness } from './harness.ts'

/** Hours of November 2026. */
export const work = (from: string, to: string) => ({
  kind: 'work' as const,
  started_at: `2026-11-${from}:00.000Z`,
  ended_at: `2026-11-${to}:00.000Z`,
  time_zone: 'Europe/Berlin',
})

/**
 * Two devices work, a copy of the database is kept while they do, and put back after they went on. Expects that they
 * bring back by themselves what the service lost.
 */
export async function expectHealing(
  harness: Harness,
  { backUp, restore }: { backUp: () => Promise<void>; restore: () => Promise<void> },
): Promise<void> {
  const phone = await harness.device('phone')
  const laptop = await harness.device('laptop')
  const kept = await phone.entries.create(work('16T08:00', '16T16:00')).settled
  const edited = await phone.entries.create(work('17T08:00', '17T16:00')).settled
  const dropped = await phone.entries.create(work('18T08:00', '18T16:00')).settled
  await laptop.sync()

  // While the service runs, and devices with it.
  await backUp()
  harness.nowMs += 60_000
  const added = await phone.entries.create(work('19T08:00', '19T16:00')).settled
  await phone.entries.update(edited.id, { note: 'after the backup' }).settled
  await phone.entries.delete(dropped.id).settled
  await laptop.sync()

  await restore()
  const ofService = async () => (await harness.ask('/api/entries')).items.map(({ id, note }: never) => ({ id, note }))
  expect(await ofService()).toHaveLength(3)

  // Whoever comes first heals it; the other has nothing to do but to agree. Writes between make the histories differ.
  harness.nowMs += 60_000
  const between = await harness.ask('/api/entries', {
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
    expect(await device.status.read()).toMatchObject({ state: 'idle', unsent: 0, rejected: 0 })
  }
}
