import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DAY_MS, type DateRange, datesIn, settingsIdOf } from '@saldo/core'
import { expect, test } from 'vitest'
import { readClosedDays } from '../../src/account/account-reads.ts'
import { JobRunner } from '../../src/account/jobs.ts'
import { OpenError } from '../../src/errors.ts'
import { migrate } from '../../src/store/migrate.ts'
import { migrations } from '../../src/store/migrations/index.ts'
import { FIRST_USER } from '../../src/store/migrations/level-3.ts'
import type { Migration } from '../../src/store/migrations/migration.ts'
import { SqliteDriver } from '../../src/store/sqlite/driver.ts'
import { openSqlite } from '../../src/store/sqlite/open.ts'
import { isPruningDue, markerOf } from './contract/kit.ts'
import { expectMigrated, OldDatabase } from './migrated.ts'
import { contentsOfFile, execute, fixtureCopy, fixtureLevels, fixtureScript } from './raw-database.ts'
import { openTemporary, optionsFor, temporaryFile, temporaryFolder } from './temporary.ts'

const LATEST = 4
/** Up to which version the log of the kept database of level 3 was pruned. */
const MARKER = 12

/** Opens a file, closes it again, and returns from which level to which it came. */
async function openOnce(file: string, as: 'service' | 'command' = 'service') {
  const opened = await openSqlite(optionsFor(file, as))
  await opened.close()
  return opened.migrated
}

function filesBeside(file: string): string[] {
  return readdirSync(dirname(file)).toSorted()
}

test('[R6.1] the migrations are numbered without a gap', () => {
  expect(migrations.map(({ level }) => level)).toEqual([1, 2, 3, 4])
})

test('[R6.1] a new database is at the latest level', async () => {
  const { file, migrated } = await openTemporary()
  expect(migrated).toEqual({ from: LATEST, to: LATEST })
  expect(contentsOfFile(file).level).toBe(LATEST)
})

test('[R6.1] the kept databases are what their script and the migrations make, and small', () => {
  const folder = temporaryFolder()
  execFileSync(process.execPath, [fixtureScript, folder])
  expect(readdirSync(folder).toSorted()).toEqual(fixtureLevels.map((level) => `level-${level}.db`))
  for (const level of fixtureLevels) {
    const kept = fixtureCopy(level)
    expect(contentsOfFile(join(folder, `level-${level}.db`))).toEqual(contentsOfFile(kept))
    expect(readFileSync(kept).length).toBeLessThan(200_000)
  }
})

test.each(fixtureLevels)('[R6.1] [R6.2] [D8.22] a database of level %i is migrated without loss', async (level) => {
  const file = fixtureCopy(level)
  const old = contentsOfFile(file)
  expect(old.level).toBe(level)
  const stores = await openTemporary(file)
  expect(stores.migrated).toEqual({ from: level, to: LATEST })
  await expectMigrated(old, stores)
})

test.each([1, 3] as const)('[D3.55] an account of a database of level %i is closed automatically', async (level) => {
  const file = fixtureCopy(level)
  // An account since 1900 would have 46,000 days.
  execute(file, "DELETE FROM settings_history WHERE effective_from = '1900-01-01'")
  execute(file, `UPDATE settings_history SET auto_close = '{"day_after_ms":0,"week_after_days":0}'`)
  const { records, clock } = await openTemporary(file)
  clock.advance(40 * DAY_MS)
  const jobs = new JobRunner({
    store: records,
    clock,
    onFailure: (_, error) => expect.unreachable(String(error)),
  })
  await jobs.runDue()
  const range: DateRange = { from: '2026-02-03', to: '2026-03-12' }
  const closed = await records.read(FIRST_USER, (reader) => readClosedDays(reader, range))
  expect(closed.map(({ date }) => date)).toEqual([...datesIn(range)])
})

test.each(fixtureLevels)('[R6.1] a database migrated from level %i has the schema of a new one', async (level) => {
  const file = fixtureCopy(level)
  await openOnce(file)
  const fresh = temporaryFile()
  await openOnce(fresh)
  expect(contentsOfFile(file).schema).toEqual(contentsOfFile(fresh).schema)
})

test('[R6.2] [R2.2] integer settings ids become the UUIDs that clients derive too, wherever they stand', async () => {
  // Pinned: were they others, a queued edit would not find its record.
  expect(settingsIdOf(FIRST_USER, 1)).toBe('82998cd7-a458-503d-99c4-a25420fb0ee2')
  expect(settingsIdOf(FIRST_USER, 1_000_000)).toBe('c025bbc1-3b41-5152-9c75-2f717233144e')
  const file = fixtureCopy(1)
  const old = new OldDatabase(contentsOfFile(file))
  const referred = old.rows('closed_days').map((row) => row.settings_id)
  expect(new Set(referred)).toEqual(new Set([1, 2, null]))

  // As far as level 3, where the old tables still are.
  const driver = new SqliteDriver(file)
  const context = { nowMs: 1_000, random: optionsFor(file).random }
  await migrate(
    driver,
    migrations.filter(({ level }) => level <= 3),
    context,
  )
  await driver.close()
  const { level, tables } = contentsOfFile(file)
  expect(level).toBe(3)
  expect(tables.settings_history?.map(({ id }) => id).toSorted()).toEqual(
    [1, 2, 1_000_000].map((id) => settingsIdOf(FIRST_USER, id)).toSorted(),
  )
  for (const { updated_at, created_at } of tables.settings_history ?? []) expect(updated_at).toBe(created_at)
  const daysBefore = new Map(old.rows('closed_days').map(({ date, settings_id }) => [date, settings_id]))
  for (const { date, settings_id } of tables.closed_days ?? []) {
    const before = daysBefore.get(date ?? null)
    expect(settings_id).toBe(before === null ? null : settingsIdOf(FIRST_USER, Number(before)))
  }
  const logged = tables.sync_log?.filter(({ kind }) => kind === 'settings_history').map(({ record_id }) => record_id)
  expect(new Set(logged)).toEqual(new Set([1, 2, 3].map((id) => settingsIdOf(FIRST_USER, id))))
  for (const { logged_at } of tables.sync_log ?? []) expect(logged_at).toBe(1_000)
})

test('[R6.2] [R4.1] rows of a log that had no times are kept for 30 days from the migration', async () => {
  const { records, clock } = await openTemporary(fixtureCopy(2))
  const hasOld = () => records.read(FIRST_USER, (reader) => isPruningDue(reader, clock.now() - 30 * 86_400_000))
  expect(await hasOld()).toBe(false)
  clock.advance(30 * 86_400_000)
  expect(await hasOld()).toBe(false)
  clock.advance(1)
  expect(await hasOld()).toBe(true)
})

test('[R6.2] [R2.6] times and marker of a level that had them stay as they are', async () => {
  const { records, driver } = await openTemporary(fixtureCopy(3))
  const [marker] = await driver.read((sql) =>
    sql.all<{ version: number; tag: string }>(`SELECT version, tag FROM sync_log WHERE kind = '_pruned'`),
  )
  expect(marker?.version).toBe(MARKER)
  expect(marker?.tag).toMatch(/^[\w-]{11}$/)
  expect(await records.read(FIRST_USER, markerOf)).toEqual(marker)
})

test('[R6.1] an old database without rows is migrated, and the first user begins at version 0', async () => {
  const file = fixtureCopy(2)
  const tables = ['closed_days', 'settings_history', 'entries', 'closed_weeks', 'balance_adjustments', 'sync_log']
  execute(file, tables.map((table) => `DELETE FROM ${table};`).join(''))
  const { users, records } = await openTemporary(file)
  const at = '2026-11-21T12:00:00.000Z'
  const added = await users.add({ email: 'a@example.com', passwordHash: 'none', at })
  assert(added.outcome === 'added')
  expect(await records.read(added.user, (reader) => reader.position())).toEqual({ version: 0, tag: null })
})

test('[R6.1] an old database with records but an empty log gives them versions', async () => {
  const file = fixtureCopy(2)
  execute(file, 'DELETE FROM sync_log')
  const { records } = await openTemporary(file)
  await records.read(FIRST_USER, async (reader) => {
    const changes = await reader.changesSince(0, 1_000)
    expect(changes.map(({ version }) => version)).toEqual(changes.map((_, index) => index + 1))
    expect(changes).toHaveLength((await reader.snapshot(undefined, 1_000)).length)
    expect((await reader.position()).version).toBe(changes.length)
  })
})

test.each(fixtureLevels)('[R6.1] before level %i is left, a copy is kept that is the old database', async (level) => {
  const file = fixtureCopy(level)
  const old = contentsOfFile(file)
  // The remains of a migration that was killed while it copied.
  writeFileSync(`${file}.level-${level}.new`, 'half a copy')
  writeFileSync(`${file}.level-${level}`, 'an older copy')
  await openOnce(file)
  const copy = `${file}.level-${level}`
  expect(filesBeside(file)).toEqual(['saldo.db', `saldo.db.level-${level}`, 'saldo.db.lock'])
  expect(contentsOfFile(copy)).toEqual(old)
  // And it can take its place.
  copyFileSync(copy, file)
  await expectMigrated(old, await openTemporary(file))
})

test('[R6.1] a new database leaves no copies behind', async () => {
  const { file } = await openTemporary()
  expect(filesBeside(file).filter((name) => name.includes('level') || name.includes('new'))).toEqual([])
})

test.each(fixtureLevels)('[R6.1] after the migration from level %i a second run changes nothing', async (level) => {
  const file = fixtureCopy(level)
  await openOnce(file)
  const [after, files, copied] = [contentsOfFile(file), filesBeside(file), readFileSync(`${file}.level-${level}`)]
  expect(await openOnce(file)).toEqual({ from: LATEST, to: LATEST })
  expect(await openOnce(file, 'command')).toEqual({ from: LATEST, to: LATEST })
  expect(contentsOfFile(file)).toEqual(after)
  expect(filesBeside(file)).toEqual(files)
  expect(readFileSync(`${file}.level-${level}`).equals(copied)).toBe(true)
})

test.each(['service', 'command'] as const)(
  '[R6.1] a database newer than the program is refused by a %s',
  async (as) => {
    const file = fixtureCopy(3)
    await openOnce(file)
    execute(file, `PRAGMA user_version = ${LATEST + 1}`)
    const before = contentsOfFile(file)
    const opening = openSqlite(optionsFor(file, as))
    await expect(opening).rejects.toThrow(OpenError)
    await expect(opening).rejects.toThrow(
      /^the database has schema level 5, this program knows 4: start a newer version of Saldo$/,
    )
    expect(contentsOfFile(file)).toEqual(before)
    expect(filesBeside(file)).not.toContain('saldo.db.level-5')
  },
)

/** The migrations, one of which fails after all it has done. */
function failingAt(level: number, error: Error): Migration[] {
  return migrations.map((migration) => ({
    ...migration,
    async up(sql, context) {
      await migration.up(sql, context)
      if (migration.level === level) throw error
    },
  }))
}

test.each([
  [1, 2, 1],
  [1, 3, 2],
  [2, 3, 2],
  [2, 4, 3],
  [3, 4, 3],
] as const)('[R6.1] from level %i, an error in migration %i leaves level %i whole', async (from, failing, left) => {
  const file = fixtureCopy(from)
  const old = contentsOfFile(file)
  const driver = new SqliteDriver(file)
  const error = new Error('on purpose\nwith a second line')
  const { clock, random } = optionsFor(file)
  const migrating = migrate(driver, failingAt(failing, error), { nowMs: clock.now(), random })
  await expect(migrating).rejects.toThrow(OpenError)
  await expect(migrating).rejects.toThrow(
    new RegExp(`^the database cannot be migrated to schema level ${failing}: on purpose$`),
  )
  await expect(migrating).rejects.toHaveProperty('cause', error)
  await driver.close()
  expect(contentsOfFile(file).level).toBe(left)
  if (left === from) expect(contentsOfFile(file)).toEqual(old)
  // The next start finds an unbroken program, and completes.
  const stores = await openTemporary(file)
  expect(stores.migrated).toEqual({ from: left, to: LATEST })
  await expectMigrated(old, stores)
})

test('[R6.1] where the copy cannot be kept, nothing is migrated', async () => {
  const file = fixtureCopy(2)
  const old = contentsOfFile(file)
  mkdirSync(`${file}.level-2.new`)
  const opening = openSqlite(optionsFor(file))
  await expect(opening).rejects.toThrow(OpenError)
  await expect(opening).rejects.toThrow(/^the database at schema level 2 cannot be copied: [^\n]+$/)
  expect(contentsOfFile(file)).toEqual(old)
  expect(existsSync(`${file}.level-2`)).toBe(false)
})

test('[R6.1] rows that a migration cannot read end it with a clear line, and stay', async () => {
  const file = fixtureCopy(3)
  execute(file, `UPDATE entries SET tags = 'no JSON' WHERE id = (SELECT MIN(id) FROM entries)`)
  const old = contentsOfFile(file)
  const opening = openSqlite(optionsFor(file))
  await expect(opening).rejects.toThrow(OpenError)
  await expect(opening).rejects.toThrow(/^the database cannot be migrated to schema level 4: [^\n]*JSON[^\n]*$/)
  expect(contentsOfFile(file)).toEqual(old)
})
