import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import type { Saldo } from '@saldo/client'
import { expect, onTestFinished, test } from 'vitest'
import { heavyTest } from '../../packages/server/test/heavy-test.ts'
import { postgresBinaries } from '../../packages/server/test/postgres/binaries.ts'
import { PostgresCluster } from '../../packages/server/test/postgres/cluster.ts'
import { newPostgres } from '../../packages/server/test/postgres/database.ts'
import { execute } from '../../packages/server/test/postgres/global-setup.ts'
import { Wire } from '../../packages/server/test/postgres/wire.ts'
import { Harness } from './harness.ts'
import { expectHealing, work } from './healing.ts'

async function open(databaseUrl: string): Promise<Harness> {
  const harness = await Harness.open('2026-11-21T12:00:00.000Z', { databaseUrl })
  onTestFinished(() => harness.close())
  return harness
}

/** Runs one of PostgreSQL’s programs. */
function run(program: string, ...args: string[]): void {
  execFileSync(join(postgresBinaries() ?? '', program), args, { stdio: ['ignore', 'ignore', 'inherit'] })
}

test('[D7.29] after pg_restore of an older pg_dump, devices bring back the lost changes', async () => {
  const url = await newPostgres()
  const harness = await open(url)
  const copy = join(harness.address.folder, 'nightly.dump')
  await expectHealing(harness, {
    backUp: async () => run('pg_dump', '--format=custom', `--file=${copy}`, url),
    restore: () =>
      harness.whileStopped(async () =>
        run('pg_restore', '--clean', '--if-exists', '--single-transaction', '--no-owner', `--dbname=${url}`, copy),
      ),
  })
})

heavyTest('[R5.1] [R5.3] [D7.2] lost commits and a killed database lose and duplicate nothing', async () => {
  const cluster = await PostgresCluster.start()
  onTestFinished(() => cluster.remove())
  await execute(cluster.url('postgres'), 'CREATE DATABASE saldo')
  const wire = await Wire.open(cluster)
  onTestFinished(() => wire.close())
  const harness = await open(wire.through(cluster.url('saldo')))
  const names = ['phone', 'laptop']
  const devices = await Promise.all(names.map((name) => harness.device(name)))
  const notes: string[] = []
  const create = async (device: Saldo) => {
    const note = `note ${notes.length + 1}.`
    notes.push(note)
    harness.nowMs += 1_000
    await device.entries.create({ ...work('16T08:00', '16T16:00'), note }).settled
  }
  /** Everything has gone out, once the database answers. */
  const syncAll = async () => {
    for (const device of devices) {
      await expect
        .poll(async () => {
          await device.sync()
          return (await device.status.read()).unsent
        })
        .toBe(0)
    }
  }
  for (const cut of ['before', 'after', 'before', 'after'] as const) {
    for (const [index, device] of devices.entries()) {
      // A direct request, and a push.
      wire.cutCommit(cut, `note ${notes.length + 1}.`)
      await create(device)
      expect(wire.isArmed).toBe(false)
      harness.cutOff(names[index] as string)
      await create(device)
      wire.cutCommit(cut, notes.at(-1) as string)
      await harness.connect(names[index] as string, device)
      expect(wire.isArmed).toBe(false)
    }
    await cluster.stop('kill')
    for (const device of devices) await create(device)
    await cluster.start()
    await syncAll()
  }
  await syncAll()
  const ofService = (await harness.ask('/api/entries')).items.map(({ note }: { note: string }) => note)
  expect(ofService.sort()).toEqual([...notes].sort())
  // Each took one version: nothing was applied twice.
  expect((await harness.ask('/api/sync/pull')).version).toBe(notes.length)
  for (const device of devices) {
    const held = (await device.entries.all().read()).map(({ record: { note } }) => note)
    expect(held.sort()).toEqual([...notes].sort())
    expect(await device.status.read()).toMatchObject({ state: 'idle', unsent: 0, rejected: 0 })
  }
})
