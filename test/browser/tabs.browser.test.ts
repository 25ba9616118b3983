import { expect, test } from 'vitest'
import { heavyTest } from '../../packages/server/test/heavy-test.ts'
import { cutBefore } from './faults.ts'
import { timed } from './records.ts'
import { crash, notesIn, STANDING, SYNC, threeTabs } from './tabs.ts'
import { Bench, eventually } from './workbench.ts'

test('[D7.43] one of three tabs syncs, all see every change, and changes of followers are sent', async () => {
  const bench = await Bench.open()
  const tabs = await threeTabs(await bench.computer())
  for (const [index, tab] of tabs.entries()) {
    const { result } = await tab.do(
      (saldo, entry) => saldo.entries.create(entry).settled,
      timed(16, 8, 12, `of ${index}`),
    )
    expect(result).toBe('stored')
  }
  await bench.ask('/api/entries', timed(17, 8, 12, 'of elsewhere'))
  await tabs[2].synced()
  const all = ['of 0', 'of 1', 'of 2', 'of elsewhere']
  for (const tab of tabs) await eventually(async () => expect(await notesIn(tab)).toEqual(all))
  expect(new Set(bench.proxy.sent(SYNC).map(({ tab }) => tab))).toEqual(new Set(['one']))
  expect((await bench.ask('/api/sync/pull')).version).toBe(4)
})

heavyTest('[D7.52] a change in one tab updates the live queries of every tab', async () => {
  const bench = await Bench.open()
  const tabs = await threeTabs(await bench.computer(), STANDING)
  for (const tab of tabs) {
    await tab.do((saldo) => {
      saldo.entries.all().subscribe((rows) => Object.assign(globalThis, { rowCount: rows.length }))
    })
  }
  await tabs[1].do((saldo, entry) => saldo.entries.create(entry).settled, timed(16, 8, 12))
  for (const { page } of tabs) await page.waitForFunction(() => (globalThis as { rowCount?: number }).rowCount === 1)
})

heavyTest.each(['closed', 'crashed'] as const)(
  '[D7.44] when the leader is %s, another tab takes over and sends the unsent changes',
  async (how) => {
    const bench = await Bench.open()
    const computer = await bench.computer()
    const [one, two, three] = await threeTabs(computer, STANDING)
    const cut = bench.proxy.put({}, cutBefore)
    const entry = timed(16, 8, 12, 'waits')
    expect((await two.do((saldo, entry) => saldo.entries.create(entry).settled, entry)).result).toBe('queued')
    bench.proxy.put({ tab: 'one' }, cutBefore)
    cut.lift()
    const before = bench.proxy.requests.length
    await (how === 'closed' ? one.page.close() : crash(computer, one))
    await eventually(async () => expect(await bench.ask('/api/entries')).toMatchObject({ items: [{ note: 'waits' }] }))
    for (const tab of [two, three]) {
      await eventually(async () => expect((await tab.do((saldo) => saldo.status.read())).state).toBe('idle'))
    }
    const after = bench.proxy.requests.slice(before).filter(({ tab }) => tab !== 'one')
    expect(new Set(after.map(({ tab }) => tab)).size).toBe(1)
    expect((await bench.ask('/api/sync/pull')).version).toBe(1)
  },
)
