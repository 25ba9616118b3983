import { expect, test } from 'vitest'
import { runsOf } from '../../packages/core/test/tier.ts'
import { Gate, slowBack } from './faults.ts'
import { timed } from './records.ts'
import { Bench } from './workbench.ts'

const COUNT = runsOf(300, 1_000)

test('[R5.1] [R5.3] [D7.5] hundreds of offline entries arrive once each despite two kills of the browser', async () => {
  const bench = await Bench.open()
  const computer = await bench.killableComputer()
  const tab = await computer.tab('tab')
  await computer.setOffline(true)
  const outcomes = await tab.do(
    async (saldo, [entry, count]) => {
      const made = Array.from(
        { length: count },
        (_, index) => saldo.entries.create({ ...entry, note: String(index) }).settled,
      )
      return (await Promise.all(made)).map(({ result }) => result)
    },
    [timed(16, 8, 12), COUNT] as const,
  )
  expect(outcomes).toEqual(Array(COUNT).fill('queued'))
  await computer.kill()

  // Online again; the answer of the first push is on its way when the browser is killed the second time.
  const gate = new Gate()
  const slow = bench.proxy.put({ on: /^POST \/api\/sync\/push/ }, slowBack(gate))
  await computer.reopen()
  const pushing = computer.tab('again').catch(() => undefined)
  await bench.proxy.until(() => slow.met[0]?.status === 200)
  const last = await pushing
  expect((await last?.do((saldo) => saldo.outbox.list().read()))?.length).toBe(COUNT)
  await computer.kill()
  gate.open()
  slow.lift()

  await computer.reopen()
  const healed = await computer.tab('healed')
  await healed.synced()
  expect(await healed.do((saldo) => saldo.outbox.list().read())).toEqual([])
  const { version, changes } = await bench.ask(`/api/sync/pull?limit=10000`)
  const arrived = changes.entries
    .map(({ note }: { note: string }) => Number(note))
    .toSorted((a: number, b: number) => a - b)
  expect(arrived).toEqual(Array.from({ length: COUNT }, (_, index) => index))
  expect(version).toBe(COUNT)
  expect(await healed.do(async (saldo) => (await saldo.entries.all().read()).length)).toBe(COUNT)
})
