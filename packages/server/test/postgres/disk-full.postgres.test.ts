import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { smallDisk } from '../faults/small-disk.ts'
import { startTestService } from '../harness.ts'
import { heavyTest } from '../heavy-test.ts'
import { type ClusterOptions, PostgresCluster } from './cluster.ts'
import { execute } from './global-setup.ts'

const authSecret = 'the same for all nodes '.repeat(2)
/** Enough that a push soon needs new pages. */
const AT_ONCE = 100
const note = 'x'.repeat(1_000)
/** The day of the first push; each push is about another, since a day has a limit of entries. */
const FIRST_DAY_MS = Date.UTC(2000, 0, 1)

async function startCluster(options: ClusterOptions): Promise<PostgresCluster> {
  const cluster = await PostgresCluster.start(options)
  onTestFinished(() => cluster.remove())
  return cluster
}

/** A service with a user who pushes, and notes what was acknowledged. */
async function pushing(databaseUrl: string) {
  const service = await startTestService({ config: { databaseUrl, authSecret } })
  onTestFinished(() => service.close())
  const { call } = await service.user()
  const acknowledged: string[] = []
  let pushes = 0
  const push = async () => {
    const ids = Array.from({ length: AT_ONCE }, () => crypto.randomUUID())
    const date = new Date(FIRST_DAY_MS + pushes * 86_400_000).toISOString().slice(0, 10)
    pushes += 1
    const times = { started_at: `${date}T08:00:00Z`, ended_at: `${date}T09:00:00Z` }
    const record = { kind: 'work', ...times, note, updated_at: '2026-11-21T12:00:00.000Z' }
    const changes = ids.map((id, seq) => ({ kind: 'entries', op: 'upsert', seq, record: { ...record, id } }))
    const answer = await call('POST', '/api/sync/push', { json: { device: crypto.randomUUID(), changes } })
    if (answer.status === 200) acknowledged.push(...ids)
    return answer
  }
  /** Pushes until it is refused, and expects by what. */
  const pushUntilRefused = async (codes: readonly string[]) => {
    let answer = await push()
    while (answer.status === 200) answer = await push()
    expect(answer.status).toBe(503)
    expect(codes).toContain(answer.body.code)
    expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
  }
  const stored = async () => {
    const ids: string[] = []
    for (let [since, hasMore] = [0, true]; hasMore; ) {
      const { body } = await call('GET', `/api/sync/pull?since=${since}`)
      ids.push(...body.changes.entries.map(({ id }: { id: string }) => id))
      ;[since, hasMore] = [body.version, body.has_more]
    }
    return ids
  }
  return { call, push, pushUntilRefused, acknowledged, stored }
}

test('[D1.24] with a full table disk, writes are 503 storage_full, reads go on, and it recovers', async () => {
  const disk = await smallDisk('48m')
  const cluster = await startCluster({ through: disk.through })
  mkdirSync(join(disk.inside, 'tables'))
  await execute(cluster.url('postgres'), `CREATE TABLESPACE small LOCATION '${join(disk.dir, 'tables')}'`)
  await execute(cluster.url('postgres'), 'CREATE DATABASE saldo TABLESPACE small')
  const { push, pushUntilRefused, acknowledged, stored } = await pushing(cluster.url('saldo'))
  expect((await push()).status).toBe(200)
  disk.fill()
  await pushUntilRefused(['storage_full'])
  expect(await stored()).toEqual(acknowledged)
  disk.free()
  expect((await push()).status).toBe(200)
  expect(await stored()).toEqual(acknowledged)
})

heavyTest('[D1.23] [D4.8] with a full log disk, the answer is 503, and nothing acknowledged is lost', async () => {
  const disk = await smallDisk('32m')
  const log = join(disk.dir, 'log')
  const settings = { min_wal_size: '2MB', max_wal_size: '4MB' }
  const cluster = await startCluster({ through: disk.through, log, settings })
  await execute(cluster.url('postgres'), 'CREATE DATABASE saldo')
  const { call, push, pushUntilRefused, acknowledged, stored } = await pushing(cluster.url('saldo'))
  expect((await push()).status).toBe(200)
  disk.fill()
  // The first to meet it, or one whose connection ends with the server.
  await pushUntilRefused(['storage_full', 'unavailable'])
  disk.free()
  await cluster.restart('immediate')
  await expect.poll(async () => (await call('GET', '/api/health')).status).toBe(200)
  expect(await stored()).toEqual(acknowledged)
  expect((await push()).status).toBe(200)
  expect(await stored()).toEqual(acknowledged)
})
