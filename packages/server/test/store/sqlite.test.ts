import { copyFileSync, readFileSync, statSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { UserNumber } from '@saldo/core'
import Database from 'better-sqlite3'
import { describe, expect, onTestFinished, test } from 'vitest'
import { UnavailableError } from '../../src/errors.ts'
import type { SqlReader } from '../../src/store/sql.ts'
import { UnknownUserError } from '../../src/store/store.ts'
import { dateSpan } from '../../src/store/stored-records.ts'
import { openStores } from '../../src/store/stores.ts'
import { heavyTest } from '../heavy-test.ts'
import { DatabaseChild } from './child.ts'
import { markerOf } from './contract/kit.ts'
import { describeStoreContract } from './contract.ts'
import { hourOf, uuidOf } from './samples.ts'
import { newFolder, openTemporary, optionsFor, temporaryFolder } from './temporary.ts'

describeStoreContract('SQLite', async () => {
  const { folder, remove } = newFolder()
  const options = optionsFor(`${folder}/saldo.db`)
  const stores = await openStores(options)
  return { ...stores, clock: options.clock, close: () => stores.close().finally(remove) }
})

type Opened = Awaited<ReturnType<typeof openTemporary>>

async function addUser({ users }: Opened, email = 'a@example.com'): Promise<UserNumber> {
  const added = await users.add({ email, passwordHash: 'none', at: '2026-02-02T12:00:00.000Z' })
  if (added.outcome !== 'added') throw new Error(added.outcome)
  return added.user
}

/** Returns the number of commits in the write-ahead log of a database. */
function commitsIn(file: string): number {
  const wal = readFileSync(`${file}-wal`)
  const pageBytes = wal.readUInt32BE(8)
  const salt = wal.subarray(16, 24)
  let commits = 0
  for (let at = 32; at + 24 + pageBytes <= wal.length; at += 24 + pageBytes) {
    // Frames of an earlier round have another salt; of a commit, only the last one tells the size of the database.
    if (wal.subarray(at + 8, at + 16).equals(salt) && wal.readUInt32BE(at + 4) > 0) commits += 1
  }
  return commits
}

describe('connections', () => {
  const pragma = async (sql: SqlReader, name: string) =>
    Object.values((await sql.all<Record<string, unknown>>(`PRAGMA ${name}`))[0] ?? {})[0]

  test('[D4.8] the writing connection has WAL, full sync and foreign keys, and never waits in SQLite', async () => {
    const { driver } = await openTemporary()
    await driver.write(async (sql) => {
      expect(await pragma(sql, 'journal_mode')).toBe('wal')
      expect(await pragma(sql, 'synchronous')).toBe(2)
      expect(await pragma(sql, 'foreign_keys')).toBe(1)
      expect(await pragma(sql, 'busy_timeout')).toBe(0)
      expect(await pragma(sql, 'query_only')).toBe(0)
    })
  })

  test('the one that reads cannot write', async () => {
    const { driver } = await openTemporary()
    await driver.read(async (sql) => {
      expect(await pragma(sql, 'query_only')).toBe(1)
      expect(await pragma(sql, 'journal_mode')).toBe('wal')
      expect(await pragma(sql, 'busy_timeout')).toBe(5_000)
    })
  })

  test('every table is strict', async () => {
    const { driver } = await openTemporary()
    const tables = await driver.read((sql) =>
      sql.all<{ name: string; strict: number }>(
        `SELECT name, strict FROM pragma_table_list WHERE schema = 'main' AND name NOT LIKE 'sqlite_%'`,
      ),
    )
    expect(tables.map(({ name }) => name)).toEqual(expect.arrayContaining(['records', 'sync_log', 'counters', 'users']))
    expect(tables.filter(({ strict }) => strict !== 1)).toEqual([])
  })

  test('references hold', async () => {
    const { users } = await openTemporary()
    const created_at = '2026-02-02T12:00:00.000Z'
    const token = { id: uuidOf('token'), name: 'of nobody', scope: 'full', created_at, expires_at: null } as const
    await expect(users.addToken({ user: 99 as UserNumber, hash: 'hash' }, token)).rejects.toBeInstanceOf(
      UnknownUserError,
    )
  })
})

describe('commits', () => {
  test.each([
    [1, 1],
    [32, 1],
    [64, 1],
    [65, 2],
    [200, 4],
  ])('[D4.12] %i writes that wait at the same time share commits: %i', async (writes, commits) => {
    const opened = await openTemporary()
    const user = await addUser(opened)
    const before = commitsIn(opened.file)
    await Promise.all(
      Array.from({ length: writes }, (_, index) => opened.records.write(user, (writer) => writer.put([hourOf(index)]))),
    )
    expect(commitsIn(opened.file) - before).toBe(commits)
    expect((await opened.records.read(user, (reader) => reader.position())).version).toBe(writes)
  })

  test('[D4.8] a write is acknowledged only after its commit', async () => {
    const opened = await openTemporary()
    const user = await addUser(opened)
    const before = commitsIn(opened.file)
    const other = new Database(opened.file, { readonly: true })
    onTestFinished(() => void other.close())
    const seen = other.prepare('SELECT COUNT(*) FROM records').pluck()
    const acknowledged: unknown[] = []
    const write = (number: number) =>
      opened.records
        .write(user, async (writer) => {
          await writer.put([hourOf(number)])
          // Time for an answer to leave too early.
          await nextTurn()
          expect(acknowledged).toEqual([])
          expect(commitsIn(opened.file)).toBe(before)
          expect(seen.get()).toBe(0)
        })
        .then(() => acknowledged.push([commitsIn(opened.file) - before, seen.get()]))
    await Promise.all([1, 2, 3, 4].map(write))
    expect(acknowledged).toEqual(Array(4).fill([1, 4]))
  })

  test('[D4.3] a write that stores nothing costs no commit', async () => {
    const opened = await openTemporary()
    const user = await addUser(opened)
    await opened.records.write(user, (writer) => writer.put([hourOf(1)]))
    const before = commitsIn(opened.file)
    await opened.records.write(user, async (writer) => {
      await writer.put([])
      await writer.prune(0)
      await writer.deleteJob('none')
      await writer.find([{ kind: 'entries', id: uuidOf(1) }])
    })
    await expect(opened.records.write(99 as UserNumber, (writer) => writer.put([hourOf(1)]))).rejects.toThrow()
    expect(commitsIn(opened.file)).toBe(before)
  })

  test('[D4.12] a write that fails stores nothing, and the others of its commit still share one', async () => {
    const opened = await openTemporary()
    const user = await addUser(opened)
    const before = commitsIn(opened.file)
    const put = (number: number, isRefused = false) =>
      opened.records.write(user, async (writer) => {
        const [record] = await writer.put([hourOf(number, uuidOf(number))])
        // Some queries write what was put.
        await writer.changesSince(0, 10)
        if (isRefused) throw new Error(`refused ${number}`)
        return record?.version
      })
    const outcomes = await Promise.allSettled([put(1), put(2, true), put(3), put(4, true), put(5)])
    expect(
      outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : outcome.reason.message)),
    ).toEqual([1, 'refused 2', 2, 'refused 4', 3])
    expect(commitsIn(opened.file) - before).toBe(1)
    const stored = await opened.records.read(user, (reader) => reader.changesSince(0, 10))
    expect(stored.map(({ id }) => id)).toEqual([uuidOf(1), uuidOf(3), uuidOf(5)])
  })

  test('[D4.12] a write without space fails alone, and others in its commit are stored', async () => {
    const opened = await openTemporary()
    const user = await addUser(opened)
    await opened.driver.write(async (sql) => {
      const [{ page_count }] = (await sql.all<{ page_count: number }>('PRAGMA page_count')) as [{ page_count: number }]
      await sql.script(`PRAGMA max_page_count = ${page_count + 8}`)
    })
    const put = (number: number, note = '') =>
      opened.records.write(user, async (writer) => (await writer.put([hourOf(number, uuidOf(number), { note })]))[0])
    const large = 'x'.repeat(200_000)
    const outcomes = await Promise.allSettled([put(1), put(2, large), put(3), put(4, large), put(5)])
    expect(
      outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value?.version : outcome.reason)),
    ).toEqual([1, expect.any(UnavailableError), 2, expect.any(UnavailableError), 3])
    expect((outcomes[1] as PromiseRejectedResult).reason.reason).toBe('storage_full')
    expect(
      (await opened.records.read(user, (reader) => reader.changesSince(0, 10))).map(({ version }) => version),
    ).toEqual([1, 2, 3])
    // And once there is space again, it is stored.
    await opened.driver.write((sql) => sql.script('PRAGMA max_page_count = 1073741823'))
    expect((await put(2, large))?.version).toBe(4)
  })

  test('[D4.8] acknowledged writes are in the files after the process is gone', async () => {
    const opened = await openTemporary()
    const user = await addUser(opened)
    await opened.records.write(user, (writer) => writer.put([hourOf(1), hourOf(2)]))
    // As after a kill: the files as they lie there, without what the process would still do.
    const copy = `${temporaryFolder()}/saldo.db`
    for (const suffix of ['', '-wal']) copyFileSync(opened.file + suffix, copy + suffix)
    const again = await openTemporary(copy)
    expect(await again.records.read(user, (reader) => reader.changesSince(0, 10))).toHaveLength(2)
  })
})

test('[D3.35] a read of many statements lets others go first before it ends', async () => {
  const opened = await openTemporary()
  const user = await addUser(opened)
  let othersRan = false
  setImmediate(() => {
    othersRan = true
  })
  await opened.records.read(user, async (reader) => {
    for (let statements = 0; statements < 20_000 && !othersRan; statements += 1) await markerOf(reader)
  })
  expect(othersRan).toBe(true)
})

describe('the write-ahead file', () => {
  test('a read that has ended holds nothing back: the write-ahead file can be emptied', async () => {
    const opened = await openTemporary()
    const user = await addUser(opened)
    const other = new Database(opened.file)
    onTestFinished(() => void other.close())
    for (let round = 0; round < 3; round += 1) {
      await opened.records.write(user, (writer) => writer.put([hourOf(round)]))
      await opened.records.read(user, (reader) => reader.overlapping('entries', dateSpan({})))
      await expect(opened.records.read(user, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
      await expect(opened.driver.read((sql) => sql.all('SELECT no such column'))).rejects.toThrow()
      expect(other.pragma('wal_checkpoint(TRUNCATE)')).toEqual([{ busy: 0, log: 0, checkpointed: 0 }])
    }
  })

  test('closing finishes waiting transactions, empties the write-ahead log, and leaves one complete file', async () => {
    const options = optionsFor(`${temporaryFolder()}/saldo.db`)
    const stores = await openStores(options)
    const added = await stores.users.add({ email: 'a@example.com', passwordHash: 'x', at: '2026-02-02T12:00:00.000Z' })
    if (added.outcome !== 'added') throw new Error(added.outcome)
    const writes = Array.from({ length: 150 }, (_, number) =>
      stores.records.write(added.user, (writer) => writer.put([hourOf(number)])),
    )
    const reads = [1, 2, 3].map(() =>
      stores.records.read(added.user, (reader) => reader.overlapping('entries', dateSpan({}))),
    )
    // A command that still has the file open, so that closing does not empty it by itself.
    const other = new Database(options.file)
    onTestFinished(() => void other.close())
    expect(other.prepare('SELECT COUNT(*) FROM users').pluck().get()).toBe(1)
    await stores.close()
    await Promise.all([...writes, ...reads])
    expect(statSync(`${options.file}-wal`).size).toBe(0)
    const alone = `${temporaryFolder()}/saldo.db`
    copyFileSync(options.file, alone)
    const again = await openTemporary(alone)
    expect((await again.records.read(added.user, (reader) => reader.position())).version).toBe(150)
  })

  test('after closing, reads and writes fail', async () => {
    const options = optionsFor(`${temporaryFolder()}/saldo.db`)
    const stores = await openStores(options)
    await stores.close()
    await expect(stores.users.list()).rejects.toThrow()
    await expect(stores.users.setupCode('code')).rejects.toThrow()
  })
})

describe('another process', () => {
  test('[D4.2] two processes that write at the same time use each version once', async () => {
    const opened = await openTemporary()
    const user = await addUser(opened)
    const count = 60
    const child = new DatabaseChild({ file: opened.file, as: 'command', work: 'write', user, count })
    expect(await child.report()).toMatchObject({ tells: 'opened' })
    child.goOn()
    const versions: number[] = []
    let childsVersions: number[] | undefined
    void child.report().then((report) => {
      childsVersions = report.tells === 'wrote' ? report.versions : []
    })
    while (!childsVersions || versions.length < count) {
      const [stored] = await opened.records.write(user, (writer) => writer.put([hourOf(versions.length)]))
      versions.push(stored?.version ?? 0)
      await nextTurn()
    }
    expect(childsVersions).toHaveLength(count)
    const all = [...versions, ...childsVersions].toSorted((a, b) => a - b)
    expect(all).toEqual(all.map((_, index) => index + 1))
    expect((await opened.records.read(user, (reader) => reader.position())).version).toBe(all.length)
  })

  heavyTest('a write that another process blocks for too long fails, and can be repeated later', async () => {
    const opened = await openTemporary()
    const user = await addUser(opened)
    const child = new DatabaseChild({ file: opened.file, work: 'exec', statements: 'BEGIN IMMEDIATE' })
    expect(await child.report()).toEqual({ tells: 'ready' })
    const put = () => opened.records.write(user, (writer) => writer.put([hourOf(1)]))
    const outcomes = await Promise.allSettled([put(), put()])
    for (const outcome of outcomes) {
      expect((outcome as PromiseRejectedResult).reason).toBeInstanceOf(UnavailableError)
      expect((outcome as PromiseRejectedResult).reason.reason).toBe('unavailable')
    }
    // Reading goes on meanwhile.
    expect((await opened.records.read(user, (reader) => reader.position())).version).toBe(0)
    child.goOn()
    await child.ended
    expect((await put())[0]?.version).toBe(1)
  })
})
