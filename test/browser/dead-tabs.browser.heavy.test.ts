import { expect, test } from 'vitest'
import { heavyTest } from '../../packages/server/test/heavy-test.ts'
import { cutBefore, Gate, slowBack, slowThere } from './faults.ts'
import { timed } from './records.ts'
import { crash, frozen, notesIn, STANDING, SYNC, stuck, threeTabs } from './tabs.ts'
import { Bench, eventually, type Tab } from './workbench.ts'

/** Has a tab create an entry, and stops the request, or its answer, on the way until the gate is opened. */
async function sending(bench: Bench, tab: Tab, where: 'there' | 'back') {
  const gate = new Gate()
  const slow = bench.proxy.put({ on: /^PUT /, times: 1 }, where === 'there' ? slowThere(gate) : slowBack(gate))
  const created = tab.do((saldo, entry) => saldo.entries.create(entry).settled, timed(16, 8, 12, 'under way'))
  await bench.proxy.until(() => slow.met.some(({ status }) => where === 'there' || status !== undefined))
  return {
    created,
    async arrive() {
      gate.open()
      await bench.proxy.until(() => slow.met[0]?.status !== undefined)
    },
  }
}

const outboxOf = (tab: Tab) => tab.do((saldo) => saldo.outbox.list().read())

async function expectOnce(bench: Bench, ...tabs: Tab[]): Promise<void> {
  const once = { version: 1, changes: { entries: [{ note: 'under way' }] } }
  expect(await bench.ask('/api/sync/pull')).toMatchObject(once)
  for (const tab of tabs) {
    await eventually(async () => expect([await outboxOf(tab), await notesIn(tab)]).toEqual([[], ['under way']]))
  }
}

test.each([
  ['the tab that syncs', 'there'],
  ['the tab that syncs', 'back'],
  ['a follower', 'there'],
  ['a follower', 'back'],
] as const)(
  '[D7.2] [D7.44] a change that %s was sending when it crashed, with the request %s on the way, is there once',
  async (who, where) => {
    const bench = await Bench.open()
    const computer = await bench.computer()
    const [one, two, three] = await threeTabs(computer, STANDING)
    const [crashing, healthy] = who === 'a follower' ? [two, one] : [one, two]
    const { created, arrive } = await sending(bench, crashing, where)
    created.catch(() => {})
    expect(await outboxOf(healthy)).toMatchObject([{ sender: expect.any(String) }])
    await crash(computer, crashing)
    await eventually(async () => expect(await outboxOf(healthy)).toEqual([]))
    await arrive()
    await expectOnce(bench, healthy, three)
  },
)

heavyTest('[D7.44] a stuck leader and its in-flight changes are replaced; later it is a follower', async () => {
  const bench = await Bench.open()
  const computer = await bench.computer()
  const [one, two, three] = await threeTabs(computer, { hurry: 10 })
  const { created, arrive } = await sending(bench, one, 'back')
  const goOn = await stuck(computer, one)
  await eventually(async () => expect(await outboxOf(two)).toEqual([]))
  const leaders = bench.proxy.sent(SYNC).map(({ tab }) => tab)
  await goOn()
  await arrive()
  await created
  await expectOnce(bench, one, two, three)
  await one.synced()
  expect(leaders.at(-1)).not.toBe('one')
  const since = bench.proxy.sent(SYNC).slice(leaders.length)
  expect(new Set(since.map(({ tab }) => tab))).toEqual(new Set([leaders.at(-1)]))
})

test('[D7.44] a frozen leader hands over at once; when it is thawed, it follows and shows all records', async () => {
  const bench = await Bench.open()
  const computer = await bench.computer()
  const [one, two, three] = await threeTabs(computer, STANDING)
  const cut = bench.proxy.put({}, cutBefore)
  await three.do((saldo, entry) => saldo.entries.create(entry).settled, timed(16, 8, 12, 'under way'))
  bench.proxy.put({ tab: 'one' }, cutBefore)
  cut.lift()
  const thaw = await frozen(computer, one)
  await eventually(async () => expect(await outboxOf(two)).toEqual([]))
  await thaw()
  await one.synced()
  await expectOnce(bench, one, two, three)
})
