import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import type { UserNumber } from '@saldo/core'
import { describe, expect, onTestFinished, test } from 'vitest'
import { isHeavy } from '../../../core/test/tier.ts'
import { OpenError } from '../../src/errors.ts'
import { openSqlite } from '../../src/store/sqlite/open.ts'
import { openStores } from '../../src/store/stores.ts'
import { heavyTest } from '../heavy-test.ts'
import { childCommand, DatabaseChild } from './child.ts'
import { contentsOfFile, execute, fixtureCopy } from './raw-database.ts'
import { hourOf } from './samples.ts'
import { openTemporary, optionsFor, temporaryFile, temporaryFolder } from './temporary.ts'

/** For root, who may write anything, a process without that privilege; for others, themselves. */
const unprivileged = process.getuid?.() === 0 ? ['setpriv', '--inh-caps=-all', '--bounding-set=-all'] : []

/** The one line with which opening is refused. */
async function refusal(file: string, as: 'service' | 'command' = 'service'): Promise<string> {
  const outcome = await openSqlite(optionsFor(file, as)).then(
    (opened) => opened.close(),
    (error: unknown) => error,
  )
  if (!(outcome instanceof OpenError)) throw new Error(`opening ended with ${String(outcome)}`)
  expect(outcome.message).toMatch(/^[^\n]+$/)
  return outcome.message
}

/** The same, of a process of its own. */
async function refusalOf(child: DatabaseChild): Promise<string> {
  const report = await child.report()
  if (report.tells !== 'refused') throw new Error(`opening ended with ${JSON.stringify(report)}`)
  expect(report.name).toBe('OpenError')
  expect(report.message).toMatch(/^[^\n]+$/)
  return report.message
}

/** Returns the bytes of all files beside a database, without locks and SQLite's temporary files. */
function everythingBeside(file: string): Map<string, string> {
  const found = readdirSync(dirname(file), { withFileTypes: true }).map((one): [string, string] => [
    one.name,
    one.isFile() ? readFileSync(join(dirname(file), one.name), 'latin1') : 'no file',
  ])
  return new Map(found.filter(([name, content]) => !/\.lock$|-shm$/.test(name) && !(name.endsWith('-wal') && !content)))
}

/** A closed database with a user and some records. */
async function filledFile(): Promise<string> {
  return (await filled()).file
}

async function filled(): Promise<{ file: string; user: UserNumber }> {
  const file = temporaryFile()
  const stores = await openStores(optionsFor(file))
  const added = await stores.users.add({ email: 'a@example.com', passwordHash: 'none', at: '2026-02-02T12:00:00.000Z' })
  assert(added.outcome === 'added')
  const { user } = added
  await stores.records.write(user, (writer) => writer.put(Array.from({ length: 300 }, (_, number) => hourOf(number))))
  await stores.close()
  return { file, user }
}

describe('a database that does not exist', () => {
  test.each(['service', 'command'] as const)('is made by a %s, whole, with its folder', async (as) => {
    const file = join(temporaryFolder(), 'a', 'b', 'saldo.db')
    const opened = await openSqlite(optionsFor(file, as))
    onTestFinished(() => opened.close())
    expect(opened.migrated).toEqual({ from: 4, to: 4 })
    expect(readdirSync(dirname(file)).filter((name) => name.includes('.new'))).toEqual([])
  })

  heavyTest('is created completely or not at all, wherever the process is killed', async () => {
    const report = await new DatabaseChild({ file: temporaryFile(), work: 'open' }).report()
    if (report.tells !== 'opened') throw new Error(report.tells)
    const { steps } = report
    expect(steps[0]).toBe('before the empty file')
    expect(steps.at(-1)).toBe('after closing')
    const killed = async (killAtStep: number) => {
      const file = temporaryFile()
      expect(await new DatabaseChild({ file, work: 'open', killAtStep }).ended).toMatchObject({ signal: 'SIGKILL' })
      expect(existsSync(file), `killed ${steps[killAtStep - 1]}`).toBe(false)
      const stores = await openTemporary(file)
      expect(await stores.users.list()).toHaveLength(0)
      expect(readdirSync(dirname(file)).filter((name) => name.includes('.new'))).toEqual([])
    }
    // Two at a time, for two cores.
    for (let step = 1; step <= steps.length; step += 2) {
      await Promise.all([killed(step), step < steps.length && killed(step + 1)])
    }
  })

  test('is created once by two processes at the same moment', async () => {
    const file = temporaryFile()
    let madeByOther = 0
    const clock = {
      // Asked after it was seen that there is no file, and before one is made.
      now() {
        if (!existsSync(file)) {
          const [command = '', ...args] = childCommand({ file, as: 'command', work: 'open' })
          spawnSync(command, args)
          execute(file, `INSERT INTO service_state (name, value) VALUES ('made', 'by the other')`)
          madeByOther += 1
        }
        return 0
      },
    }
    const opened = await openSqlite({ ...optionsFor(file, 'command'), clock })
    onTestFinished(() => opened.close())
    expect(madeByOther).toBe(1)
    expect(contentsOfFile(file).tables.service_state).toEqual([{ name: 'made', value: 'by the other' }])
  })

  test('is opened by all commands that start at the same moment', async () => {
    const file = temporaryFile()
    const children = [1, 2, 3, 4].map(() => new DatabaseChild({ file, as: 'command', work: 'open' }))
    for (const child of children) expect(await child.report()).toMatchObject({ tells: 'opened', to: 4 })
  })

  test.each(['-wal', '-journal'])(
    'but whose %s does is not begun anew: it would be written into the new one',
    async (suffix) => {
      const file = await filledFile()
      renameSync(file, file + suffix)
      const before = everythingBeside(file)
      for (const as of ['service', 'command'] as const) {
        expect(await refusal(file, as)).toBe(
          `${file} is missing, but ${file}${suffix} exists: restore both, or delete it to start afresh`,
        )
      }
      expect(everythingBeside(file)).toEqual(before)
    },
  )

  test('is created beside an empty write-ahead file, which holds nothing', async () => {
    const file = temporaryFile()
    writeFileSync(`${file}-wal`, '')
    expect(await (await openTemporary(file)).users.list()).toHaveLength(0)
  })

  test('is not created where nothing may be written', async () => {
    const folder = temporaryFolder()
    chmodSync(folder, 0o555)
    const file = join(folder, 'saldo.db')
    for (const as of ['service', 'command'] as const) {
      expect(await refusalOf(new DatabaseChild({ file, as, work: 'open' }, unprivileged))).toMatch(
        /cannot be written; check owner and permissions$/,
      )
    }
    const deeper = join(folder, 'data', 'saldo.db')
    expect(await refusalOf(new DatabaseChild({ file: deeper, work: 'open' }, unprivileged))).toMatch(/EACCES/)
    expect(readdirSync(folder)).toEqual([])
  })
})

describe('a file that is not a usable Saldo database is refused and left as it is', () => {
  const damaged = /saldo\.db is damaged or not an SQLite database; restore it from a backup$/

  async function expectRefused(file: string, line: RegExp): Promise<void> {
    const before = everythingBeside(file)
    for (const as of ['service', 'command'] as const) expect(await refusal(file, as)).toMatch(line)
    expect(everythingBeside(file)).toEqual(before)
  }

  test.each<[name: string, content: string | Uint8Array, line: RegExp]>([
    ['an empty file', '', /saldo\.db is empty: restore it from a backup, or delete it to start afresh$/],
    ['a few bytes', 'hello', damaged],
    ['a text', 'Dear diary, '.repeat(5_000), damaged],
    ['zeros, as after a power failure', new Uint8Array(65_536), damaged],
    ['the first bytes of a database', 'SQLite format 3\0', damaged],
    ['a header and then nothing', `SQLite format 3\0${'\x10\0\x02\x02\0'.padEnd(4_080, '\0')}`, damaged],
  ])('%s', async (_, content, line) => {
    const file = temporaryFile()
    writeFileSync(file, content)
    await expectRefused(file, line)
  })

  test('a folder', async () => {
    const file = temporaryFile()
    mkdirSync(file)
    await expectRefused(file, /saldo\.db is not a file$/)
  })

  test.each([
    ['of another program', ''],
    ['of another program that numbers its levels as we do', 'PRAGMA user_version = 3'],
    ['of another program at our latest level', 'PRAGMA user_version = 4'],
    ['of another program with a write-ahead file', 'PRAGMA journal_mode = WAL'],
  ])('a database %s', async (_, statements) => {
    const file = temporaryFile()
    execute(file, `CREATE TABLE recipes (name TEXT); INSERT INTO recipes VALUES ('soup'); ${statements}`)
    await expectRefused(file, /saldo\.db is not a Saldo database$/)
  })

  test('a database without tables', async () => {
    const file = temporaryFile()
    execute(file, 'CREATE TABLE soups (name); DROP TABLE soups')
    expect(await refusal(file)).toMatch(/saldo\.db is not a Saldo database$/)
  })

  // Pages that are not in use hold nothing that could be missing or damaged.
  const inUse = 'VACUUM; PRAGMA wal_checkpoint(TRUNCATE)'

  test('a file that ends too early, wherever', async () => {
    const file = await filledFile()
    execute(file, inUse)
    const whole = readFileSync(file)
    for (const part of [0.999, 0.9, 0.5, 0.1]) {
      for (const bytes of [Math.floor(whole.length * part), Math.ceil((whole.length * part) / 4_096) * 4_096 - 4_096]) {
        writeFileSync(file, whole.subarray(0, Math.max(bytes, 1)))
        await expectRefused(file, damaged)
      }
    }
    writeFileSync(file, whole)
    expect(await (await openTemporary(file)).users.list()).toHaveLength(1)
  })

  test('a file of which any page is damaged', async () => {
    const file = await filledFile()
    execute(file, inUse)
    const whole = readFileSync(file)
    const pageBytes = whole.readUInt16BE(16)
    const pages = whole.length / pageBytes
    expect(pages).toBeGreaterThan(50)
    for (let page = 0; page < pages; page += 1) {
      for (const filler of isHeavy ? ['\0', 'Z', '\xff\x07'] : ['Z']) {
        const copy = Buffer.from(whole)
        copy.fill(filler, page * pageBytes, (page + 1) * pageBytes, 'latin1')
        writeFileSync(file, copy)
        expect(await refusal(file), `page ${page} of ${pages}`).toMatch(damaged)
        expect(readFileSync(file).equals(copy)).toBe(true)
      }
    }
  })
})

test('[D8.44] only its owner can read the lock of a database, and so hold it', async () => {
  const file = await filledFile()
  const modeOf = (name: string) => statSync(name).mode & 0o777
  chmodSync(dirname(file), 0o755)
  expect(modeOf(`${file}.lock`)).toBe(0o600)
  chmodSync(`${file}.lock`, 0o644)
  const stores = await openStores(optionsFor(file))
  expect(modeOf(`${file}.lock`)).toBe(0o600)
  await stores.close()
  if (process.getuid?.() !== 0) return
  const nobody = ['--reuid=65534', '--regid=65534', '--clear-groups']
  const [command = '', ...args] = ['setpriv', ...nobody, 'cat', `${file}.lock`]
  expect(spawnSync(command, args, { encoding: 'utf8' }).stderr).toContain('Permission denied')
})

describe('a database that may not be written is refused', () => {
  const cannotBeWritten = /cannot be written; check owner and permissions$/

  test.each([
    ['the file', (file: string) => chmodSync(file, 0o444), cannotBeWritten],
    ['its folder', (file: string) => chmodSync(dirname(file), 0o555), cannotBeWritten],
    ['the file, which may not even be read', (file: string) => chmodSync(file, 0o000), cannotBeWritten],
    ['a lock of another user', (file: string) => chmodSync(`${file}.lock`, 0o444), cannotBeWritten],
  ])('%s', async (_, protect, line) => {
    const file = await filledFile()
    const before = everythingBeside(file)
    protect(file)
    onTestFinished(() => chmodSync(dirname(file), 0o700))
    expect(await refusalOf(new DatabaseChild({ file, work: 'open' }, unprivileged))).toMatch(line)
    if (unprivileged.length > 0) expect(everythingBeside(file)).toEqual(before)
  })

  test('by a command too, which needs no lock', async () => {
    const file = await filledFile()
    chmodSync(file, 0o444)
    expect(await refusalOf(new DatabaseChild({ file, as: 'command', work: 'open' }, unprivileged))).toMatch(
      cannotBeWritten,
    )
  })
})

describe('processes beside each other', () => {
  heavyTest('a database that another program has locked is refused, at every level', async () => {
    const locked = [
      [await filledFile(), 'BEGIN IMMEDIATE'],
      [fixtureCopy(3), 'BEGIN EXCLUSIVE'],
    ] as const
    // Each waits some seconds for the lock.
    await Promise.all(
      locked.map(async ([file, statements]) => {
        const locker = new DatabaseChild({ file, work: 'exec', statements })
        expect(await locker.report()).toEqual({ tells: 'ready' })
        expect(await refusalOf(new DatabaseChild({ file, work: 'open' }))).toBe(`${file} is locked by another process`)
        locker.goOn()
        await locker.ended
        expect((await openTemporary(file)).migrated.to).toBe(4)
      }),
    )
  })

  test('a second service is refused, by whatever name it knows the file, and the first works on', async () => {
    const { file, users } = await openTemporary()
    const links = temporaryFolder()
    symlinkSync(file, join(links, 'saldo.db'))
    symlinkSync(dirname(file), join(links, 'folder'))
    // Each waits a moment for the lock.
    for (const name of [join(links, 'saldo.db'), join(links, 'folder', 'saldo.db')]) {
      expect(await refusal(name)).toMatch(/ is in use by another running service$/)
    }
    expect(await refusalOf(new DatabaseChild({ file, work: 'open' }))).toMatch(/ is in use by another running service$/)
    expect(await users.list()).toHaveLength(0)
  })

  test('the files of a killed service block nobody and lose nothing', async () => {
    const { file, user } = await filled()
    for (let round = 0; round < 2; round += 1) {
      const service = new DatabaseChild({ file, work: 'write', user, count: 20 })
      expect(await service.report()).toMatchObject({ tells: 'opened' })
      service.goOn()
      expect(await service.report()).toMatchObject({ tells: 'wrote' })
      service.kill()
      await service.ended
    }
    const { records } = await openTemporary(file)
    expect((await records.read(user, (reader) => reader.position())).version).toBe(300 + 2 * 20)
  })

  test('a service that ended releases its lock', async () => {
    const file = temporaryFile()
    for (let round = 0; round < 3; round += 1) {
      const opened = await openSqlite(optionsFor(file))
      await opened.close()
    }
    // Also one that was refused after it had the lock.
    execute(file, 'PRAGMA user_version = 8')
    await refusal(file)
    execute(file, 'PRAGMA user_version = 4')
    await openTemporary(file)
  })

  test('[D8.27] a command works beside a running service, and each sees the other’s writes', async () => {
    const { file, users } = await openTemporary()
    const command = await openStores(optionsFor(file, 'command'))
    const person = { passwordHash: 'none', at: '2026-02-02T12:00:00.000Z' } as const
    expect(await command.users.add({ ...person, email: 'by-command@example.com' })).toMatchObject({ outcome: 'added' })
    expect(await users.add({ ...person, email: 'by-command@example.com' })).toEqual({ outcome: 'email_taken' })
    expect(await users.add({ ...person, email: 'by-service@example.com' })).toMatchObject({ outcome: 'added' })
    expect(await command.users.list()).toEqual(await users.list())
    await command.close()
    expect(await users.list()).toHaveLength(2)
    expect(await refusal(file)).toMatch(/ is in use by another running service$/)
  })

  test('[R6.1] a command does not migrate a database under a service of an older program', async () => {
    const file = fixtureCopy(3)
    const before = contentsOfFile(file)
    const older = new DatabaseChild({ file: `${file}.lock`, work: 'exec', statements: 'BEGIN EXCLUSIVE' })
    expect(await older.report()).toEqual({ tells: 'ready' })
    expect(await refusal(file, 'command')).toMatch(/ is in use by another running service$/)
    expect(contentsOfFile(file)).toEqual(before)
    older.kill()
    await older.ended
    const opened = await openSqlite(optionsFor(file, 'command'))
    await opened.close()
    expect(opened.migrated).toEqual({ from: 3, to: 4 })
  })

  test('[R6.1] of services that start at once on an old database, only one migrates it', async () => {
    const file = fixtureCopy(1)
    const children = [1, 2, 3].map(() => new DatabaseChild({ file, work: 'hold' }))
    const reports = await Promise.all(children.map((child) => child.report()))
    expect(reports.map(({ tells }) => tells).toSorted()).toEqual(['opened', 'refused', 'refused'])
    expect(reports).toContainEqual(expect.objectContaining({ tells: 'opened', from: 1, to: 4 }))
    rmSync(`${file}.level-1`)
    const command = await openSqlite(optionsFor(file, 'command'))
    await command.close()
    expect(command.migrated).toEqual({ from: 4, to: 4 })
  })
})
