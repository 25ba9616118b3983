import type { RecordId } from '@saldo/core'
import { expect, test } from 'vitest'
import { heavyTest } from '../../packages/server/test/heavy-test.ts'
import { timed } from './records.ts'
import { notesIn } from './tabs.ts'
import { Bench, eventually, type Tab } from './workbench.ts'

/** Edits a note without a network. Returns the edit's time. */
const edit = (tab: Tab, id: RecordId, note: string) =>
  tab.do(
    async (saldo, [id, note]) => {
      await saldo.entries.update(id, { note }).settled
      return (await saldo.outbox.list().read()).find((row) => row.id === id)?.updatedAt ?? ''
    },
    [id, note] as const,
  )

heavyTest('[R1.5] [D7.42] changes sync between two browsers in both directions', async () => {
  const bench = await Bench.open()
  const phone = await (await bench.computer()).tab('phone')
  const laptop = await (await bench.computer()).tab('laptop')
  const { id } = await phone.do((saldo, entry) => saldo.entries.create(entry).settled, timed(16, 8, 12, 'by the phone'))
  await laptop.synced()
  expect(await notesIn(laptop)).toEqual(['by the phone'])
  await laptop.do((saldo, id) => saldo.entries.update(id, { note: 'by the laptop' }).settled, id)
  const { id: other } = await laptop.do(
    (saldo, entry) => saldo.entries.create(entry).settled,
    timed(17, 8, 12, 'another'),
  )
  await phone.synced()
  expect(await notesIn(phone)).toEqual(['another', 'by the laptop'])
  await phone.do((saldo, id) => saldo.entries.delete(id).settled, other)
  await laptop.synced()
  expect(await notesIn(laptop)).toEqual(['by the laptop'])
})

/** Two browsers that have edited the same entry without a network, and do not have one yet. */
async function disagreeing() {
  const bench = await Bench.open()
  const computers = { phone: await bench.computer(), laptop: await bench.computer() }
  const [phone, laptop] = [await computers.phone.tab('phone'), await computers.laptop.tab('laptop')]
  const { id } = await laptop.do((saldo, entry) => saldo.entries.create(entry).settled, timed(16, 8, 12, 'before'))
  await laptop.synced()
  await phone.synced()
  for (const computer of Object.values(computers)) await computer.setOffline(true)
  const earlier = await edit(laptop, id, 'earlier')
  // Their clocks agree as far as the service's answers let them.
  await eventually(async () => expect((await edit(phone, id, 'later')) > earlier).toBe(true))
  return { bench, id, computers, phone, laptop }
}

test('[R3.8] [D7.21] the later of two offline edits wins, and the user can restore the other', async () => {
  const { bench, id, computers, phone, laptop } = await disagreeing()
  await computers.phone.setOffline(false)
  await phone.synced()
  await computers.laptop.setOffline(false)
  await laptop.synced()
  expect([await notesIn(phone), await notesIn(laptop)]).toEqual([['later'], ['later']])
  const lost = await laptop.do((saldo) => saldo.conflicts.list().read())
  expect(lost).toMatchObject([{ mine: { id, content: { note: 'earlier' } }, theirs: { record: { note: 'later' } } }])
  expect(await phone.do((saldo) => saldo.conflicts.list().read())).toEqual([])

  await laptop.do(async (saldo) => {
    for (const lost of await saldo.conflicts.list().read()) await saldo.conflicts.restoreMine(lost)
  })
  await laptop.synced()
  await phone.synced()
  expect([await notesIn(phone), await notesIn(laptop)]).toEqual([['earlier'], ['earlier']])
  expect((await bench.ask(`/api/entries/${id}`)).note).toBe('earlier')
  expect(await laptop.do((saldo) => saldo.conflicts.list().read())).toEqual([])
})

heavyTest('[R3.8] [D7.42] the later of two edits wins also when its browser syncs last', async () => {
  const { bench, id, computers, phone, laptop } = await disagreeing()
  await computers.laptop.setOffline(false)
  await laptop.synced()
  expect((await bench.ask(`/api/entries/${id}`)).note).toBe('earlier')
  await computers.phone.setOffline(false)
  await phone.synced()
  await laptop.synced()
  expect([await notesIn(phone), await notesIn(laptop)]).toEqual([['later'], ['later']])
  expect(await phone.do((saldo) => saldo.conflicts.list().read())).toEqual([])
})

heavyTest(
  '[R3.8] [D7.21] an edit later than a deletion revives the record; an earlier one becomes a conflict',
  async () => {
    const bench = await Bench.open()
    const computer = await bench.computer()
    const phone = await computer.tab('phone')
    const laptop = await (await bench.computer()).tab('laptop')
    const create = (note: string) =>
      phone.do((saldo, entry) => saldo.entries.create(entry).settled, timed(16, 8, 12, note))
    const [{ id: revived }, { id: lost }] = [await create('one'), await create('another')]
    await phone.synced()
    await laptop.synced()
    await computer.setOffline(true)
    const early = await edit(phone, lost, 'edited too early')
    await eventually(async () => {
      await laptop.do((saldo, id) => saldo.entries.update(id, { note: 'before its deletion' }).settled, lost)
      expect((await bench.ask(`/api/entries/${lost}`)).updated_at > early).toBe(true)
    })
    await laptop.do((saldo, id) => saldo.entries.delete(id).settled, lost)
    await laptop.do((saldo, id) => saldo.entries.delete(id).settled, revived)
    const deleted = (await bench.ask('/api/sync/pull?since=0')).deleted.entries
    const { updated_at } = deleted.find(({ id }: { id: string }) => id === revived)
    await eventually(async () => expect((await edit(phone, revived, 'edited later')) > updated_at).toBe(true))
    await computer.setOffline(false)
    await phone.synced()
    await laptop.synced()
    expect([await notesIn(phone), await notesIn(laptop)]).toEqual([['edited later'], ['edited later']])
    expect(await phone.do((saldo) => saldo.conflicts.list().read())).toMatchObject([
      { mine: { id: lost, content: { note: 'edited too early' } }, theirs: { record: null } },
    ])
  },
)
