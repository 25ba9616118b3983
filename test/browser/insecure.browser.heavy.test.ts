import { expect, test } from 'vitest'
import { cutBefore } from './faults.ts'
import { timed } from './records.ts'
import { notesIn } from './tabs.ts'
import { Bench, eventually } from './workbench.ts'

test('[R5.1] [R5.2] [D7.43] a page without TLS and Web Locks still queues, sends and shows changes', async () => {
  const bench = await Bench.open()
  const computer = await bench.computer(bench.insecureUrl)
  const tabs = [await computer.tab('one'), await computer.tab('two')] as const
  expect(await tabs[0].page.evaluate(() => 'locks' in navigator)).toBe(false)
  const cut = bench.proxy.put({}, cutBefore)
  const made = await Promise.all(
    tabs.map((tab, index) =>
      tab.do((saldo, entry) => saldo.entries.create(entry).settled, timed(16, 8, 12, `of ${index}`)),
    ),
  )
  expect(made.map(({ result }) => result)).toEqual(['queued', 'queued'])
  for (const { id } of made) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  cut.lift()
  await Promise.all(tabs.map((tab) => tab.synced()))
  for (const tab of tabs) await eventually(async () => expect(await notesIn(tab)).toEqual(['of 0', 'of 1']))
  const { version, changes } = await bench.ask('/api/sync/pull')
  expect([version, changes.entries.length]).toEqual([2, 2])
})
