import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { UserNumber } from '@saldo/core'
import { expect, onTestFinished, test } from 'vitest'
import type { StoreErrorCode } from '../../src/store/errors.ts'
import { sqliteStore } from '../../src/store/node/sqlite-store.ts'
import type { LocalStore } from '../../src/store/store.ts'
import { baseRecord, contents, id, outboxRow, owner } from '../rows.ts'
import { describeLocalStore } from '../store-contract.ts'
import { erasingChild, fullDiskChild, temporaryDir, writingChild } from './child.ts'

const newFile = () => join(temporaryDir(), 'saldo.db')

describeLocalStore('an SQLite file', async () => {
  const file = newFile()
  return () => sqliteStore(file)(owner)
})

function opened(file: string): LocalStore {
  const store = sqliteStore(file)(owner)
  onTestFinished(() => store.close())
  return store
}

const withCode = (code: StoreErrorCode) => expect.objectContaining({ name: 'StoreError', code })

function errorOf(action: () => unknown): unknown {
  try {
    return action()
  } catch (error) {
    return error
  }
}

/** Copies a store with its log, as a power failure would leave it. */
function copied(file: string): string {
  const copy = newFile()
  for (const suffix of ['', '-wal']) if (existsSync(file + suffix)) copyFileSync(file + suffix, copy + suffix)
  return copy
}

test('[D7.50] a transaction cut off by a crash at any byte of the log is dropped; the next one is kept', async () => {
  const file = newFile()
  const store = opened(file)
  for (const number of [1, 2]) await store.write((tables) => tables.outbox.put([outboxRow(number)]))
  const before = statSync(`${file}-wal`).size
  await store.write((tables) => tables.outbox.put([outboxRow(3)]))
  const after = statSync(`${file}-wal`).size
  for (let end = before; end < after; end += 101) {
    const copy = copied(file)
    truncateSync(`${copy}-wal`, end)
    const torn = sqliteStore(copy)(owner)
    expect((await contents(torn)).outbox.map((row) => row.id)).toEqual([id(1), id(2)])
    await torn.write((tables) => tables.baseRecords.put([baseRecord(4)]))
    await torn.close()
    const again = sqliteStore(copy)(owner)
    expect((await contents(again)).baseRecords).toEqual([baseRecord(4)])
    await again.close()
  }
})

test('[D7.50] a committed transaction is in the log before the promise resolves', async () => {
  const file = newFile()
  await opened(file).write((tables) => tables.outbox.put([outboxRow(1)]))
  expect(await contents(opened(copied(file)))).toMatchObject({ outbox: [outboxRow(1)] })
})

test('[D7.50] a closed store is one file that only its owner can read', async () => {
  const file = newFile()
  const store = sqliteStore(file)(owner)
  await store.close()
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readdirSync(dirname(file))).toEqual(['saldo.db'])
})

test.each([
  ['text', () => Buffer.from('This is not a database, but long enough to be taken for one. '.repeat(100))],
  ['the database of another program', otherDatabase],
])('[D7.53] a file with %s is damaged and stays as it is', (_what, make) => {
  const file = newFile()
  writeFileSync(file, make())
  const before = statSync(file).mtimeMs
  expect(errorOf(() => sqliteStore(file)(owner))).toEqual(withCode('damaged'))
  expect(statSync(file).mtimeMs).toBe(before)
})

test('[D7.53] a store that a newer program has upgraded is outdated and stays as it is', async () => {
  const file = newFile()
  await sqliteStore(file)(owner).close()
  const database = new DatabaseSync(file)
  database.exec('PRAGMA user_version = 2')
  database.close()
  const before = readFileSync(file)
  expect(errorOf(() => sqliteStore(file)(owner))).toEqual(withCode('outdated'))
  expect(readFileSync(file)).toEqual(before)
})

function otherDatabase(): Buffer {
  const file = newFile()
  const database = new DatabaseSync(file)
  database.exec('PRAGMA journal_mode = WAL; CREATE TABLE notes (text TEXT)')
  database.close()
  return readFileSync(file)
}

test('[D7.50] a killed process keeps every acknowledged transaction, and none partially', async () => {
  const file = newFile()
  for (const least of [1, 40, 150]) {
    for (const suffix of ['', '-wal']) rmSync(file + suffix, { force: true })
    const child = writingChild(file, 1_000_000)
    await child.wrote(new RegExp(`^${least}\n`, 'm'))
    await child.kill()
    const acknowledged = child.stdout.split('\n').slice(1, -1).length
    const store = sqliteStore(file)(owner)
    const { outbox, baseRecords, meta } = await contents(store)
    expect(acknowledged).toBeGreaterThanOrEqual(least)
    expect([acknowledged, acknowledged + 1]).toContain(meta.seq)
    const written = Array.from({ length: meta.seq }, (_, index) => id(index + 1))
    expect(outbox.map((row) => row.id)).toEqual(written)
    expect(baseRecords.map((row) => row.id)).toEqual(written)
    await store.close()
  }
})

test('[D7.53] a store open in another process is in use until that process ends', async () => {
  const file = newFile()
  const child = writingChild(file, 3)
  await child.wrote(/^3\n/m)
  expect(errorOf(() => sqliteStore(file)(owner))).toEqual(withCode('inUse'))
  await child.kill()
  expect((await contents(opened(file))).meta.seq).toBe(3)
})

test('[D7.53] a store open in this process is in use until it is closed', async () => {
  const file = newFile()
  const earlier = sqliteStore(file)(owner)
  await earlier.write((tables) => tables.baseRecords.put([baseRecord(1)]))
  expect(errorOf(() => sqliteStore(file)(owner))).toEqual(withCode('inUse'))
  await earlier.close()
  expect((await contents(opened(file))).baseRecords).toEqual([baseRecord(1)])
})

test('[D7.53] a failed second opening in this process does not open the store to other processes', async () => {
  const file = newFile()
  opened(file)
  expect(errorOf(() => sqliteStore(file)(owner))).toEqual(withCode('inUse'))
  await expect(writingChild(file, 1).wrote(/^open\n/)).rejects.toThrow("code: 'inUse'")
})

test('[D7.48] the store of another user is rejected and unchanged', async () => {
  const file = newFile()
  const another = { ...owner, user: (owner.user + 1) as UserNumber }
  const store = sqliteStore(file)(owner)
  await store.write((tables) => tables.outbox.put([outboxRow(1)]))
  await store.close()
  expect(errorOf(() => sqliteStore(file)(another))).toEqual(withCode('foreign'))
  expect(await contents(opened(file))).toMatchObject({ outbox: [outboxRow(1)] })
})

test('[D7.49] erasing a store leaves no file, and its name is free for another user', async () => {
  const file = newFile()
  const store = opened(file)
  await store.write((tables) => tables.baseRecords.put([baseRecord(1)]))
  await store.erase()
  expect(readdirSync(dirname(file))).toEqual([])
  const another = sqliteStore(file)({ ...owner, user: (owner.user + 1) as UserNumber })
  expect((await contents(another)).baseRecords).toEqual([])
  await another.close()
})

test('[D7.53] of processes that open and erase a store simultaneously, one at a time succeeds', async () => {
  const file = newFile()
  const children = Array.from({ length: 3 }, () => erasingChild(file, 40))
  await Promise.all(children.map((child) => child.wrote(/^done\n/)))
  expect(readdirSync(dirname(file))).toEqual([])
})

test('[D7.50] a transaction that ignores a failed write is rolled back as a whole', async () => {
  const store = opened(newFile())
  const running = store.write(async (tables) => {
    await tables.outbox.put([outboxRow(1)])
    await tables.baseRecords.put([{ ...baseRecord(1), kind: undefined as never }]).catch(() => {})
  })
  await expect(running).rejects.toMatchObject(withCode('failed'))
  expect((await contents(store)).outbox).toEqual([])
})

test('[D7.50] [D7.53] a full disk rejects a whole transaction and keeps earlier ones, until it has space', async () => {
  const child = fullDiskChild(512)
  await child.wrote(/\n/)
  const { kept, ...outcomes } = JSON.parse(child.stdout) as { kept: number }
  expect(outcomes).toEqual({ atOpening: 'full', atPut: 'full', reported: 'full', readable: kept, reopened: [kept, 1] })
  expect(kept).toBeGreaterThan(5)
})
