import { randomBytes, randomUUID } from 'node:crypto'
import type { StoreError } from '@saldo/client'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { heavyTest } from '../../packages/server/test/heavy-test.ts'
import { cutBefore } from './faults.ts'
import { timed } from './records.ts'
import { notesIn } from './tabs.ts'
import { asAnother, Bench, type Computer, eventually, type Tab } from './workbench.ts'

const trouble = (tab: Tab) => tab.do(async (saldo) => (await saldo.status.read()).storeError)

/** Creates an entry. Returns how it was stored, or the error of the store. */
const create = (tab: Tab, note: string) =>
  tab.do(
    (saldo, entry) =>
      saldo.entries.create(entry).settled.then(
        ({ result }) => result,
        (error: { name: string; code?: string }) => `${error.name} ${error.code}`,
      ),
    timed(16, 8, 12, note),
  )

/** A page of another program, which keeps the database open at a version. */
async function holding(computer: Computer, name: string, version: number): Promise<Page> {
  const page = await computer.page('holding')
  await asAnother(page, async ({ hold }, [name, version]) => void (await hold(name, version)), [name, version] as const)
  return page
}

test('[R6.3] [D7.53] an older tab that blocks the upgrade is reported; once it is closed, work goes on', async () => {
  const bench = await Bench.open()
  const computer = await bench.computer()
  const older = await holding(computer, `saldo-${bench.person.user}`, 10)
  const tab = await computer.tab('tab')
  await eventually(async () => expect(await trouble(tab)).toBe('blocked'))
  expect(await create(tab, 'too early')).toBe('StoreError blocked')
  await older.close()
  await eventually(async () => expect(await trouble(tab)).toBeNull())
  expect(await create(tab, 'after')).toMatch(/^stored|queued$/)
  await eventually(async () => expect(await bench.ask('/api/entries')).toMatchObject({ items: [{ note: 'after' }] }))
})

heavyTest('[R6.3] [D7.53] a tab reports that a newer program upgraded the database, and keeps its data', async () => {
  const bench = await Bench.open()
  const computer = await bench.computer()
  const tab = await computer.tab('tab')
  bench.proxy.put({ tab: 'tab' }, cutBefore)
  expect(await create(tab, 'unsent')).toBe('queued')
  const newer = await holding(computer, `saldo-${bench.person.user}`, 9_990)
  await eventually(async () => expect(await trouble(tab)).toBe('outdated'))
  expect(await create(tab, 'too late')).toBe('StoreError outdated')
  const kept = await asAnother(newer, ({ count }, name) => count(name, 'outboxBlocks'), `saldo-${bench.person.user}`)
  expect(kept).toBe(1)
})

heavyTest(
  '[D7.53] a local database deleted under a tab is reported, and a change fails instead of being lost',
  async () => {
    const bench = await Bench.open()
    const computer = await bench.computer()
    const tab = await computer.tab('tab')
    // A change during the first sync may be sent twice and counts as queued.
    await tab.synced()
    expect(await create(tab, 'before')).toBe('stored')
    const other = await computer.page('deleting')
    await asAnother(other, ({ remove }, name) => remove(name), `saldo-${bench.person.user}`)
    await eventually(async () => expect(await trouble(tab)).toBe('gone'))
    expect(await create(tab, 'nowhere')).toBe('StoreError gone')
    const again = await computer.tab('again')
    await eventually(async () => expect(await notesIn(again)).toEqual(['before']))
  },
)

heavyTest('[D7.53] without storage quota, a change fails and is reported; with quota again, work goes on', async () => {
  const bench = await Bench.open()
  const computer = await bench.computer()
  const origin = bench.proxy.url
  // Before the first use of the database: later, the browser goes by what it found out up to 30 s ago.
  const session = await computer.context.newCDPSession(await computer.page('quota'))
  await session.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 200_000 })
  const tab = await computer.tab('tab')
  await tab.synced()
  const cut = bench.proxy.put({}, cutBefore)
  // All at once: if some changes fitted in, the sync would write to them, with success again.
  const incompressible = () => timed(16, 8, 12, randomBytes(3_750).toString('base64'))
  const changes = Array.from({ length: 100 }, () => ({ id: randomUUID(), content: incompressible() }))
  const queued = tab.do((saldo, all) => saldo.entries.queueAll(all).catch(({ code }: StoreError) => code), changes)
  expect(await queued).toBe('full')
  expect(await trouble(tab)).toBe('full')
  expect(await notesIn(tab)).toEqual([])

  await session.send('Storage.overrideQuotaForOrigin', { origin })
  await eventually(async () => expect(await create(tab, 'after')).toBe('queued'))
  expect(await trouble(tab)).toBeNull()
  cut.lift()
  await tab.synced()
  expect(await bench.ask('/api/entries')).toMatchObject({ items: [{ note: 'after' }] })
})
