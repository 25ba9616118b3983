import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { OpenError } from '../../src/errors.ts'
import { migrate } from '../../src/store/migrate.ts'
import { postgresMigrations } from '../../src/store/migrations/index.ts'
import type { Migration } from '../../src/store/migrations/migration.ts'
import { PostgresDriver } from '../../src/store/postgres/driver.ts'
import { sqlRecordStore } from '../../src/store/records/sql-store.ts'
import { openStores } from '../../src/store/stores.ts'
import { systemRandom } from '../../src/system.ts'
import { ManualClock } from '../manual-clock.ts'
import { hourOf } from '../store/samples.ts'
import { databaseName, newPostgres } from './database.ts'
import { databaseUrl, execute } from './global-setup.ts'

const clock = new ManualClock('2026-02-02T12:00:00.000Z')

const open = (url: string) => openStores({ url, clock, random: systemRandom, as: 'service' })

/** The URL of a new database without tables. */
async function emptyDatabase(options = ''): Promise<string> {
  const url = await newPostgres()
  const name = `${databaseName(url)}e`
  await execute(url, `CREATE DATABASE ${name} TEMPLATE template0 ${options}`)
  return databaseUrl(url, name)
}

/** The reason why a database cannot be opened. */
async function refusal(url: string): Promise<string> {
  const error = await open(url).then(
    () => undefined,
    (error: unknown) => error,
  )
  expect(error).toBeInstanceOf(OpenError)
  const { message } = error as OpenError
  expect(message).not.toMatch(/\n|geheim/)
  return message
}

test('[R6.1] of eight nodes that start on an empty database, one migrates it and all serve it', async () => {
  const url = await emptyDatabase()
  const nodes = await Promise.all(Array.from({ length: 8 }, () => open(url)))
  onTestFinished(async () => {
    await Promise.all(nodes.map((node) => node.close()))
  })
  const { rows } = await execute(url, 'SELECT user_version FROM schema_level')
  expect(rows).toEqual([{ user_version: '4' }])
  const [first] = nodes
  const added = await first?.users.add({ email: 'a@example.com', passwordHash: 'none', at: '2026-02-02T12:00:00.000Z' })
  if (added?.outcome !== 'added') throw new Error(added?.outcome)
  for (const node of nodes) await node.records.write(added.user, (writer) => writer.put([hourOf(1)]))
  expect((await first?.records.read(added.user, (reader) => reader.position()))?.version).toBe(8)
})

test('[R6.1] a migration is applied once, whole or not at all', async () => {
  const url = await newPostgres()
  const before = await open(url)
  const drivers = [1, 2, 3].map(() => new PostgresDriver(url))
  onTestFinished(async () => {
    for (const opened of [before, ...drivers]) await opened.close()
  })
  // The connection has it prepared from now on.
  const askForAll = ({ driver }: typeof before) => driver.read((sql) => sql.all('SELECT * FROM users'))
  await askForAll(before)
  let applied = 0
  const next: Migration = {
    level: 5,
    async up(sql) {
      applied += 1
      await sql.script('ALTER TABLE users ADD COLUMN something_new BIGINT')
      await sql.script('CREATE TABLE something_new (id BIGINT); INSERT INTO something_new VALUES (1)')
      if (applied === 1) throw new Error('in the middle')
    },
  }
  const all = [...postgresMigrations, next]
  const context = { nowMs: 0, random: systemRandom }
  const [first, ...others] = drivers as [PostgresDriver, ...PostgresDriver[]]
  await expect(migrate(first, all, context)).rejects.toThrow('cannot be migrated to schema level 5: in the middle')
  expect(await first.userVersion()).toBe(4)
  await Promise.all([first, ...others].map((driver) => migrate(driver, all, context)))
  expect(applied).toBe(2)
  expect((await execute(url, 'SELECT id FROM something_new')).rowCount).toBe(1)
  expect(await before.users.list()).toHaveLength(0)
  expect(await askForAll(before)).toEqual([])
  // A program that starts now is too old.
  expect(await refusal(url)).toMatch(/has schema level 5, this program knows 4: start a newer version of Saldo$/)
})

test('[R6.1] nodes of two levels that run together read and write the same', async () => {
  const url = await newPostgres()
  const before = await open(url)
  const driver = new PostgresDriver(url)
  onTestFinished(async () => {
    for (const opened of [before, driver]) await opened.close()
  })
  const added = await before.users.add({ email: 'a@example.com', passwordHash: 'none', at: '2026-02-02T12:00:00.000Z' })
  if (added.outcome !== 'added') throw new Error(added.outcome)
  const { user } = added
  // Its connections have their statements prepared from now on.
  await before.records.write(user, (writer) => writer.put([hourOf(1)]))
  const next: Migration = {
    level: 5,
    up: (sql) =>
      sql.script(`
        ALTER TABLE records ADD COLUMN origin TEXT;
        CREATE INDEX records_by_origin ON records (user_id, origin);
        ALTER TABLE counters ADD COLUMN kept_since BIGINT NOT NULL DEFAULT 0;
      `),
  }
  const writing = Array.from({ length: 20 }, (_, index) =>
    before.records.write(user, (writer) => writer.put([hourOf(100 + index)])),
  )
  await migrate(driver, [...postgresMigrations, next], { nowMs: 0, random: systemRandom })
  await Promise.all(writing)
  const after = sqlRecordStore(
    driver,
    () => 'tag',
    () => clock.now(),
  )
  for (let hour = 200; hour < 220; hour += 1) {
    await (hour % 2 === 0 ? before.records : after).write(user, (writer) => writer.put([hourOf(hour)]))
  }
  for (const store of [before.records, after]) {
    const versions = await store.read(user, async (reader) =>
      (await reader.changesSince(0, 100)).map(({ version }) => version),
    )
    expect(versions).toEqual(Array.from({ length: 41 }, (_, index) => index + 1))
  }
})

test('a missing, foreign, non-durable or differently encoded database is refused in one line', async () => {
  const there = await newPostgres()
  expect(await refusal('postgresql://saldo:geheim@localhost:1/saldo')).toMatch(
    /^the database saldo on localhost:1 cannot be used: .*ECONNREFUSED/,
  )
  expect(await refusal(databaseUrl(there, 'saldo_test_none'))).toMatch(/database "saldo_test_none" does not exist$/)
  const foreign = await emptyDatabase()
  await execute(foreign, 'CREATE TABLE invoices (id BIGINT)')
  expect(await refusal(foreign)).toMatch(/holds the tables of another program/)
  expect((await execute(foreign, `SELECT tablename FROM pg_tables WHERE schemaname = 'public'`)).rows).toEqual([
    { tablename: 'invoices' },
  ])
  expect(await refusal(await emptyDatabase(`ENCODING 'LATIN1' LOCALE_PROVIDER libc LOCALE 'C'`))).toMatch(
    /has the encoding LATIN1: UTF8 is needed$/,
  )
  const forgetful = await newPostgres()
  await execute(forgetful, `ALTER DATABASE ${databaseName(forgetful)} SET synchronous_commit = off`)
  expect(await refusal(forgetful)).toMatch(/turn fsync and synchronous_commit on$/)
})

test('a URL that is not encoded, or whose certificate is missing, is refused in one line', async () => {
  const encode = 'the URL of the database is not valid: characters such as / in a password are written as %2F'
  for (const password of ['/geheim', '12/geheim', '12#geheim', '12?geheim', '7/ge@heim/']) {
    expect(await refusal(`postgresql://saldo:${password}@localhost:1/saldo`)).toBe(encode)
  }
  const missing = await refusal('postgresql://saldo:geheim@localhost:1/saldo?sslrootcert=/missing.pem')
  expect(missing).toMatch(/^the URL of the database is not valid: ENOENT: .*missing\.pem/)
})

test('every sslmode of PostgreSQL’s own tools that asks for TLS gets it without a warning', async () => {
  const url = await newPostgres()
  let warnings = 0
  const warn = () => {
    warnings += 1
  }
  process.on('warning', warn)
  onTestFinished(() => void process.off('warning', warn))
  for (const mode of ['prefer', 'require', 'verify-ca', 'verify-full']) {
    expect(await refusal(`${url}?sslmode=${mode}`)).toMatch(/does not support SSL connections$/)
  }
  expect(warnings).toBe(0)
})

test('options that the URL gives leave reads what they rely on', async () => {
  const store = await open(`${await newPostgres()}?options=-c%20search_path%3Dpublic,other%20-c%20enable_seqscan%3Don`)
  onTestFinished(() => store.close())
  const names = ['search_path', 'default_transaction_read_only', 'enable_seqscan']
  const [row] = await store.driver.all<Record<string, string>>(
    `SELECT ${names.map((name) => `current_setting('${name}') AS ${name}`).join(', ')}`,
  )
  expect(names.map((name) => row?.[name])).toEqual(['public,other', 'on', 'off'])
})

test('a node outlives the file of a certificate that its URL names: it was read at the start', async () => {
  const [url, folder] = [await newPostgres(), mkdtempSync(join(tmpdir(), 'saldo-certificate-'))]
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'root.pem')
  writeFileSync(file, 'a certificate')
  const store = await open(`${url}?sslmode=disable&sslrootcert=${file}`)
  onTestFinished(() => store.close())
  rmSync(file)
  let begun = 0
  const listening = store.announcements?.listen({
    onAnnouncement: () => undefined,
    onConnect: () => {
      begun += 1
    },
    onDisconnect: () => undefined,
  })
  onTestFinished(() => listening?.close())
  await expect.poll(() => begun).toBe(1)
  const others =
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()'
  await execute(url, others)
  await expect.poll(() => begun).toBe(2)
  expect(await store.users.list()).toEqual([])
})
