import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { UserNumber } from '@saldo/core'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { OpenError } from '../../src/errors.ts'
import { backUpSqlite, restoreSqlite } from '../../src/store/sqlite/backup.ts'
import { openStores } from '../../src/store/stores.ts'
import { systemRandom } from '../../src/system.ts'
import { hourOf, uuidOf } from './samples.ts'
import { optionsFor, temporaryFile, temporaryFolder } from './temporary.ts'

const nowMs = Date.parse('2026-11-21T12:00:00.000Z')
const KEPT = 'saldo.db.before-restore-2026-11-21T12-00-00'

const backUp = (file: string, to: string) => backUpSqlite({ file, to, random: systemRandom })

/** A database with one user, whose records can be put and counted. */
async function house(file = temporaryFile()) {
  const opened = await openStores(optionsFor(file))
  let closing: Promise<void> | undefined
  const close = () => {
    closing ??= opened.close()
    return closing
  }
  onTestFinished(close)
  const at = '2026-02-02T12:00:00.000Z'
  await opened.users.add({ email: 'ada@example.com', passwordHash: 'none', at })
  const user = (await opened.users.list())[0]?.id as UserNumber
  return {
    file,
    close,
    put: (n: number) => opened.records.write(user, (writer) => writer.put([hourOf(n, uuidOf(n))])),
    erase: async () =>
      opened.users.remove(user, (await opened.records.read(user, (reader) => reader.position())).version, '2026-11-21'),
    version: async () => (await opened.records.read(user, (reader) => reader.position())).version,
  }
}

/** Returns the number of records in a file that is complete by itself. */
function recordsIn(file: string): { records: number; version: number } {
  const database = new Database(file, { readonly: true })
  try {
    expect(database.pragma('journal_mode', { simple: true })).toBe('delete')
    const records = database.prepare('SELECT count(*) FROM records').pluck().get() as number
    return { records, version: database.prepare('SELECT version FROM counters').pluck().get() as number }
  } finally {
    database.close()
  }
}

test('a backup beside writers is one whole file of one moment; no writer fails, nothing of it is lost', async () => {
  const { file, put, version } = await house()
  const folder = temporaryFolder()
  let written = 0
  let isCopying = true
  const write = async () => {
    while (isCopying) {
      written += 1
      await put(written)
      await nextTurn()
    }
  }
  const writers = [write(), write(), write()]
  try {
    for (const name of ['one', 'two', 'three']) {
      const before = await version()
      const to = join(folder, name)
      expect(await backUp(file, to)).toBe(statSync(to).size)
      const copy = recordsIn(to)
      expect(copy.records).toBe(copy.version)
      expect(copy.version).toBeGreaterThanOrEqual(before)
      expect(statSync(to).mode & 0o777).toBe(0o600)
    }
  } finally {
    isCopying = false
    await Promise.all(writers)
  }
  expect(await version()).toBe(written)
  expect(readdirSync(folder).sort()).toEqual(['one', 'three', 'two'])
})

test('[D19.22] a backup holds nothing of a user who was erased before it', async () => {
  const { file, put, erase } = await house()
  for (let n = 0; n < 50; n += 1) await put(n)
  const folder = temporaryFolder()
  const bytesOf = async (name: string) => {
    await backUp(file, join(folder, name))
    return readFileSync(join(folder, name)).toString('latin1')
  }
  const before = await bytesOf('before')
  for (const text of ['ada@example.com', uuidOf(7)]) expect(before).toContain(text)
  await erase()
  const after = await bytesOf('after')
  expect(after).not.toContain('ada@example.com')
  expect(after).not.toContain(uuidOf(7))
})

test('a backup overwrites nothing, and one that fails leaves nothing', async () => {
  const { file } = await house()
  const folder = temporaryFolder()
  const to = join(folder, 'diary')
  writeFileSync(to, 'Dear diary')
  await expect(backUp(file, to)).rejects.toThrow(`${to} exists: Saldo does not overwrite backups`)
  expect(readFileSync(to, 'utf8')).toBe('Dear diary')
  const outcomes = await Promise.allSettled([1, 2, 3].map(() => backUp(file, join(folder, 'at-once'))))
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  await expect(backUp(join(folder, 'nothing'), join(folder, 'copy'))).rejects.toBeInstanceOf(OpenError)
  await expect(backUp(file, join(folder, 'no-folder', 'copy'))).rejects.toBeInstanceOf(OpenError)
  expect(readdirSync(folder).sort()).toEqual(['at-once', 'diary'])
})

test('a damaged database is not copied as a backup', async () => {
  const { file, put, close } = await house()
  for (let n = 0; n < 50; n += 1) await put(n)
  await close()
  const damaged = readFileSync(file)
  writeFileSync(file, damaged.fill(0x5a, 5 * 4096, 7 * 4096))
  const to = join(temporaryFolder(), 'copy')
  await expect(backUp(file, to)).rejects.toBeInstanceOf(OpenError)
  expect(existsSync(to)).toBe(false)
})

test('[D4.18] restore puts the copy in place and keeps the previous database beside it', async () => {
  const first = await house()
  const { file } = first
  const copy = join(temporaryFolder(), 'copy')
  await first.put(1)
  await backUp(file, copy)
  await first.put(2)
  await first.close()
  // As after a crash: what was committed last is only in the write-ahead file.
  const second = await house(file)
  await second.put(3)
  const [wal, main] = [readFileSync(`${file}-wal`), readFileSync(file)]
  await second.close()
  writeFileSync(file, main)
  writeFileSync(`${file}-wal`, wal)

  const kept = join(dirname(file), KEPT)
  expect(restoreSqlite({ from: copy, file, nowMs })).toEqual({ keptAs: kept })
  const third = await house(file)
  expect(await third.version()).toBe(1)
  await third.close()
  expect(() => restoreSqlite({ from: copy, file, nowMs })).toThrow('exists')
  const before = await house(kept)
  expect(await before.version()).toBe(3)
})

test('a restore needs no database in place, and accepts a backup in write-ahead mode', async () => {
  const { file, put } = await house()
  await put(1)
  const copy = join(temporaryFolder(), 'copy')
  await backUp(file, copy)
  const beside = new Database(copy)
  beside.pragma('journal_mode = WAL')
  beside.close()
  // As a copy from an archive or another host has it.
  chmodSync(copy, 0o644)
  const restored = join(temporaryFolder(), 'new', 'saldo.db')
  expect(restoreSqlite({ from: copy, file: restored, nowMs })).toEqual({ keptAs: undefined })
  expect(statSync(restored).mode & 0o777).toBe(0o600)
  expect(readdirSync(dirname(restored)).sort()).toEqual(['saldo.db', 'saldo.db.lock'])
  expect(await (await house(restored)).version()).toBe(1)
})

test('a damaged or incomplete backup is not restored, nor any beside a running service; nothing changes', async () => {
  const { file, put, close } = await house()
  for (let n = 0; n < 50; n += 1) await put(n)
  const folder = temporaryFolder()
  const good = join(folder, 'good')
  await backUp(file, good)
  expect(() => restoreSqlite({ from: good, file, nowMs })).toThrow('is in use by a running service: stop it first')
  await close()
  const state = () =>
    readdirSync(dirname(file)).map((name) => [name, readFileSync(join(dirname(file), name)).toString('hex')])
  const before = state()
  const bad = (name: string, make: (path: string) => void) => {
    const path = join(folder, name)
    writeFileSync(path, readFileSync(good))
    make(path)
    return path
  }
  const cases: [from: string, line: RegExp][] = [
    [join(folder, 'missing'), /there is no file/],
    [folder, /there is no file/],
    [bad('empty', (path) => truncateSync(path)), /is not a Saldo database/],
    [bad('text', (path) => writeFileSync(path, 'Dear diary, '.repeat(999))), /not a database/],
    [bad('short', (path) => truncateSync(path, 40_000)), /damaged|malformed/],
    [
      bad('hole', (path) => writeFileSync(path, readFileSync(path).fill(0x5a, 5 * 4096, 7 * 4096))),
      /damaged|malformed/,
    ],
    [bad('live', (path) => writeFileSync(`${path}-wal`, 'x')), /is incomplete without/],
    [
      bad('newer', (path) => {
        const database = new Database(path)
        database.pragma('user_version = 99')
        database.close()
      }),
      /has schema level 99, this program knows \d+: use a newer version/,
    ],
    [
      bad('recipes', (path) => {
        rmSync(path)
        new Database(path).exec('CREATE TABLE recipes (name); PRAGMA user_version = 4').close()
      }),
      /is not a Saldo database/,
    ],
  ]
  for (const [from, line] of cases) {
    expect(() => restoreSqlite({ from, file, nowMs }), from).toThrow(OpenError)
    expect(() => restoreSqlite({ from, file, nowMs }), from).toThrow(line)
    expect(state()).toEqual(before)
  }
})

test('a database behind a link is not replaced while in use; later, the link leads to the copy', async () => {
  const { file, put, close } = await house()
  await put(1)
  const copy = join(temporaryFolder(), 'copy')
  await backUp(file, copy)
  await put(2)
  const link = join(temporaryFolder(), 'saldo.db')
  symlinkSync(file, link)
  expect(() => restoreSqlite({ from: copy, file: link, nowMs })).toThrow('is in use by a running service')
  await close()
  expect(restoreSqlite({ from: copy, file: link, nowMs }).keptAs).toMatch(`${file}.before-restore-`)
  expect(readlinkSync(link)).toBe(file)
  expect(await (await house(file)).version()).toBe(1)
})

test('a backup never follows a link that somebody has put where it goes', async () => {
  const { file } = await house()
  const folder = temporaryFolder()
  const [diary, absent, link, dangling] = ['diary', 'absent', 'link', 'dangling'].map((name) => join(folder, name))
  writeFileSync(diary as string, 'Dear diary')
  symlinkSync(diary as string, link as string)
  symlinkSync(absent as string, dangling as string)
  for (const to of [link, dangling]) await expect(backUp(file, to as string)).rejects.toBeInstanceOf(OpenError)
  expect(readFileSync(diary as string, 'utf8')).toBe('Dear diary')
  expect(readdirSync(folder).sort()).toEqual(['dangling', 'diary', 'link'])
})

test('a restore never writes through a link that somebody has put beside the database', async () => {
  const { file, put, close } = await house()
  await put(1)
  const copy = join(temporaryFolder(), 'copy')
  await backUp(file, copy)
  await close()
  const diary = join(temporaryFolder(), 'diary')
  writeFileSync(diary, 'Dear diary')
  for (const suffix of ['.restoring', '.restoring-wal', '.restoring-journal', '-shm']) {
    rmSync(file + suffix, { force: true })
    symlinkSync(diary, file + suffix)
  }
  symlinkSync(join(dirname(diary), 'absent'), join(dirname(file), KEPT))
  restoreSqlite({ from: copy, file, nowMs })
  expect(readFileSync(diary, 'utf8')).toBe('Dear diary')
  expect(readdirSync(dirname(diary))).toEqual(['diary'])
  expect(await (await house(file)).version()).toBe(1)
})

test('a backup is at exactly the path that was given, whatever it looks like', async () => {
  const { file, put } = await house()
  await put(1)
  const [folder, before] = [temporaryFolder(), process.cwd()]
  onTestFinished(() => process.chdir(before))
  process.chdir(folder)
  const names = [' begins with a space', ':memory:', 'file:copy?mode=ro', '-rf', 'Ä 🔑\n']
  for (const name of names) {
    expect(await backUp(file, name)).toBe(statSync(name).size)
    const restored = join(temporaryFolder(), 'saldo.db')
    restoreSqlite({ from: name, file: restored, nowMs })
    expect(await (await house(restored)).version()).toBe(1)
  }
  expect(readdirSync('.').sort()).toEqual(names.sort())
})

test('an older copy is migrated when the service opens it', async () => {
  const older = readFileSync(new URL('../../../../fixtures/databases/level-3.db', import.meta.url))
  const copy = join(temporaryFolder(), 'copy')
  writeFileSync(copy, older)
  const file = join(temporaryFolder(), 'saldo.db')
  restoreSqlite({ from: copy, file, nowMs })
  const opened = await openStores(optionsFor(file))
  expect(opened.migrated.from).toBe(3)
  await opened.close()
})
