import { expect, test } from 'vitest'
import { isHeavy } from '../../packages/core/test/tier.ts'
import type { Fault } from './exchange.ts'
import { captivePortal, captiveRedirect, cutAfter, cutBefore, cutInside, gatewaySays, serviceSays } from './faults.ts'
import { timed } from './records.ts'
import { Bench } from './workbench.ts'

const WRITES = /^(PUT|DELETE|POST) (?!\/api\/auth)/

/** Faults of each sort; the rest of a sort comes with the heavy tier. */
const faults: [string, Fault][] = [
  ['is cut behind the service', cutAfter],
  ['meets a service that cannot now', serviceSays(503, 'unavailable', { 'retry-after': '1' })],
]
const moreFaults: [string, Fault][] = [
  ['is cut before the service', cutBefore],
  ['meets a captive portal that redirects', captiveRedirect],
  ['is cut inside the answer', cutInside],
  ['meets a captive portal', captivePortal],
  ['meets a gateway without a service', gatewaySays(502)],
  ['meets a service that fails', serviceSays(500, 'internal')],
  ['meets a service that is asked too often', serviceSays(429, 'rate_limited', { 'retry-after': '1' })],
]

test.each(isHeavy ? [...faults, ...moreFaults] : faults)(
  '[R5.1] [D7.7] a change goes to the service first; where it %s, it waits here, and arrives once',
  async (_how, fault) => {
    const bench = await Bench.open()
    const tab = await (await bench.computer()).tab('tab')
    await tab.synced()
    const kept = await tab.do((saldo, entry) => saldo.entries.create(entry).settled, timed(16, 8, 12, 'to be changed'))
    const gone = await tab.do((saldo, entry) => saldo.entries.create(entry).settled, timed(17, 8, 12, 'to be deleted'))
    expect([kept.result, gone.result, bench.proxy.sent(WRITES).length]).toEqual(['stored', 'stored', 2])

    for (const [index, change] of ['create', 'update', 'delete'].entries()) {
      const before = bench.proxy.requests.length
      const trouble = bench.proxy.put({}, fault)
      const ids = [kept.id, gone.id] as const
      const outcome = await tab.do(
        async (saldo, { change, entry, ids: [kept, gone] }) => {
          if (change === 'create') return (await saldo.entries.create(entry).settled).result
          return change === 'update'
            ? saldo.entries.update(kept, { note: 'changed' }).settled
            : saldo.entries.delete(gone).settled
        },
        { change, entry: timed(18, 8, 12, 'created'), ids },
      )
      expect(outcome).toBe('queued')
      const sent = bench.proxy.requests.slice(before).find(({ method }) => method !== 'GET')
      expect(sent?.method).toBe(change === 'delete' ? 'DELETE' : 'PUT')
      expect(await tab.do((saldo) => saldo.outbox.list().read())).toHaveLength(1)
      trouble.lift()
      await tab.synced()
      expect((await bench.ask('/api/sync/pull')).version).toBe(3 + index)
    }
    const { items } = await bench.ask('/api/entries')
    expect(items.map(({ note }: { note: string }) => note)).toEqual(['changed', 'created'])
    const shown = await tab.do((saldo) => saldo.entries.all().read())
    expect(shown.map(({ record: { note }, pending }) => [note, pending]).toSorted()).toEqual([
      ['changed', false],
      ['created', false],
    ])
  },
)

test('[R5.1] [R5.2] [R5.3] an offline record gets a random UUID, is queued, and is pushed later', async () => {
  const bench = await Bench.open()
  const computer = await bench.computer()
  const tab = await computer.tab('tab')
  await computer.setOffline(true)
  const made = await tab.do(
    async (saldo, entries) => {
      const made = []
      for (const entry of entries) made.push(await saldo.entries.create(entry).settled)
      return made
    },
    [timed(16, 8, 12), timed(17, 8, 12), timed(18, 8, 12)],
  )
  expect(made.map(({ result }) => result)).toEqual(['queued', 'queued', 'queued'])
  expect(new Set(made.map(({ id }) => id)).size).toBe(3)
  for (const { id } of made) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  const waiting = (await tab.do((saldo) => saldo.outbox.list().read())).toSorted((a, b) => a.place - b.place)
  expect(bench.proxy.sent(WRITES)).toEqual([])

  await computer.setOffline(false)
  await tab.synced()
  const pushes = bench.proxy.sent(/^POST \/api\/sync\/push$/).map(({ json }) => json)
  expect(pushes).toMatchObject([
    {
      device: expect.stringMatching(/^[0-9a-f-]{36}$/),
      changes: waiting.map(({ kind, id, seq, updatedAt: updated_at }) => {
        return { kind, op: 'upsert', seq, record: { id, updated_at } }
      }),
    },
  ])
  expect(waiting.map(({ id }) => id)).toEqual(made.map(({ id }) => id))
  expect((await bench.ask('/api/sync/pull')).version).toBe(3)
})

test('[R5.4] a pull continues after the stored version, on a page opened later too', async () => {
  const bench = await Bench.open()
  const computer = await bench.computer()
  const first = await computer.tab('first')
  await bench.ask('/api/entries', timed(16, 8, 12))
  await first.synced()
  await first.page.close()
  const { version } = await bench.ask('/api/entries', timed(17, 8, 12))
  const second = await computer.tab('second')
  await second.synced()
  const pulls = bench.proxy.sent(/pull/).filter(({ tab }) => tab === 'second')
  expect(pulls[0]?.path).toBe(`/api/sync/pull?since=${version - 1}`)
  expect(await second.do((saldo) => saldo.entries.all().read())).toHaveLength(2)
})

test('[R5.5] [R5.6] [D7.31] a pull behind the marker replaces all but unsent changes, then repeats', async () => {
  const bench = await Bench.open({ own: true })
  const computer = await bench.computer()
  const tab = await computer.tab('tab')
  const { id: forgotten } = await tab.do(
    (saldo, entry) => saldo.entries.create(entry).settled,
    timed(16, 8, 12, 'deleted'),
  )
  await tab.synced()
  await computer.setOffline(true)
  await tab.do((saldo, entry) => saldo.entries.create(entry).settled, timed(17, 8, 12, 'unsent'))

  await bench.ask(`/api/entries/${forgotten}`, undefined, 'DELETE')
  await bench.ask('/api/entries', timed(18, 8, 12, 'of another device'))
  await bench.killService()
  bench.service.ageLog(31)
  await bench.startService()
  const before = bench.proxy.requests.length
  await computer.setOffline(false)
  await tab.synced()

  const pulls = bench.proxy.requests.slice(before).filter(({ path }) => path.startsWith('/api/sync/pull'))
  const pulled = pulls.map(({ path, status }) => `${path.replace(/\d+$/, 'N')} ${status}`)
  expect(pulled.slice(0, 2)).toEqual(['/api/sync/pull?since=N 410', '/api/sync/pull?limit=N 200'])
  expect(pulled.at(-1)).toBe('/api/sync/pull?since=N 200')
  const digests = bench.proxy.requests.slice(before).filter(({ path }) => path === '/api/sync/digest')
  expect(digests.map(({ status }) => status)).toEqual([200])
  expect((await tab.do((saldo) => saldo.status.read())).divergence).toBeNull()
  const shown = await tab.do((saldo) => saldo.entries.all().read())
  expect(shown.map(({ record }) => record.note).toSorted()).toEqual(['of another device', 'unsent'])
  const notes = (await bench.ask('/api/entries')).items.map(({ note }: { note: string }) => note)
  expect(notes.toSorted()).toEqual(['of another device', 'unsent'])
})
