import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { systemRandom } from '@saldo/client'
import { sqliteStore } from '@saldo/client/node'
import { DigestSum, type JsonObject, type PullResponse, type RecordId, recordKinds, type UserNumber } from '@saldo/core'
import { openStores, type Stores, systemClock } from '@saldo/server'
import { pullSnapshot } from '../../../packages/server/src/sync/pull.ts'
import { requireClosedRight } from '../../simulation/check.ts'
import type { LogRow } from '../log.ts'
import type { Promised } from './promised.ts'
import type { UnsyncedDisk } from './unsynced-disk.ts'

/** The most that a snapshot has in one page. */
const ALL = 10_000

/** Puts what a power loss left into a folder, and nothing else. */
export function putImage(folder: string, image: ReadonlyMap<string, Buffer>): void {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { mode: 0o700 })
  for (const [name, content] of image) writeFileSync(join(folder, basename(name)), content, { mode: 0o600 })
}

/** Loads the files of a folder into a disk. */
export function foundIn(folder: string, disk: UnsyncedDisk): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    disk.found(path, statSync(path).ino, readFileSync(path))
  }
}

/**
 * Opens the database in a folder as the service does. Throws unless all is there that was promised, and all is whole.
 */
export async function requireDatabase(folder: string, { versions, users }: Promised): Promise<void> {
  const stores = await openStores({
    file: join(folder, 'saldo.db'),
    clock: systemClock,
    random: systemRandom,
    as: 'service',
  })
  try {
    const there = (await stores.users.list()).map(({ id }) => id)
    for (const user of users) if (!there.some((id) => id === user)) throw new Error(`lost: the user ${user}`)
    const has = new Set<string>()
    for (const user of there) {
      const rows = await logOf(stores, user)
      for (const { id, version } of rows) has.add(`${id} ${version}`)
      await requireWhole(stores, user, rows)
    }
    for (const { id, version } of versions) {
      if (!has.has(`${id} ${version}`)) throw new Error(`lost: version ${version} of ${id}`)
    }
  } finally {
    await stores.close()
  }
}

/** The log of a user. Throws unless its versions are consecutive up to the counter. */
async function logOf({ driver }: Stores, user: UserNumber): Promise<LogRow[]> {
  const rows = await driver.all<LogRow>(
    'SELECT version, kind, record_id AS id, tag FROM sync_log WHERE user_id = $1 ORDER BY version',
    [user],
  )
  const [counter] = await driver.all<{ version: number }>('SELECT version FROM counters WHERE user_id = $1', [user])
  const isWhole = rows.every(({ version }, index) => version === index + 1) && rows.length === (counter?.version ?? 0)
  if (!isWhole) throw new Error(`the counter is ${counter?.version}, the log has ${rows.length} rows`)
  return rows
}

/** Throws unless records, log, digests and closings of a user fit each other. */
async function requireWhole({ driver, records }: Stores, user: UserNumber, rows: readonly LogRow[]): Promise<void> {
  const snapshot = await pullSnapshot(records, systemClock, user, undefined, ALL)
  if (snapshot.outcome !== 'pulled') throw new Error(snapshot.outcome)
  const { body } = snapshot
  const text = typeof body === 'string' ? body : Buffer.concat(body).toString()
  const there = JSON.parse(text) as PullResponse
  const sum = new DigestSum()
  for (const kind of recordKinds) {
    for (const record of (there.changes[kind] ?? []) as JsonObject[]) {
      sum.add(kind, record)
      const row = rows[Number(record.version) - 1]
      if (row?.id !== record.id) throw new Error(`${record.id} has a version that is another's`)
    }
  }
  const digests = await records.read(user, (reader) => reader.digests())
  if (!isDeepStrictEqual(digests, sum.digests())) throw new Error('the digest is wrong')
  const jobs = await driver.all('SELECT id FROM jobs WHERE user_id = $1', [user])
  if (jobs.length === 0) requireClosedRight(there)
}

/** Opens a device's store. Throws unless each of these records waits in its outbox. */
export async function requireDeviceStore(file: string, user: UserNumber, ids: readonly RecordId[]): Promise<void> {
  const store = sqliteStore(file)({ user, random: systemRandom })
  try {
    const waiting = new Set(await store.read(async (tables) => (await tables.outbox.all()).map(({ id }) => id)))
    for (const id of ids) if (!waiting.has(id)) throw new Error(`lost: ${id}`)
  } finally {
    await store.close()
  }
}
