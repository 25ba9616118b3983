import type { PullResponse, UserNumber } from '@saldo/core'
import { expect, onTestFinished, test } from 'vitest'
import { OpenError } from '../../src/errors.ts'
import { copyDatabase } from '../../src/store/copy.ts'
import type { SqlDriver, SqlReader } from '../../src/store/sql.ts'
import { openStores, type Stores } from '../../src/store/stores.ts'
import { PasskeyStore } from '../../src/store/users/passkeys.ts'
import { WebhookStore } from '../../src/store/users/webhooks.ts'
import { pullSince, pullSnapshot } from '../../src/sync/pull.ts'
import { systemRandom } from '../../src/system.ts'
import { heavyTest } from '../heavy-test.ts'
import { contentsOfFile } from '../store/raw-database.ts'
import { hourOf, oneOfEachKind, tombstone, uuidOf } from '../store/samples.ts'
import { openTemporary } from '../store/temporary.ts'
import { newPostgres } from './database.ts'

const AT = '2026-02-02T12:00:00.000Z'

/** A file with something in every table, the traces of a user who is gone, and more rows than are copied at once. */
async function openFull() {
  const opened = await openTemporary()
  const { users, records, driver, clock } = opened
  const add = async (email: string) => {
    const added = await users.add({ email, passwordHash: `hash of ${email}`, at: AT })
    if (added.outcome !== 'added') throw new Error(added.outcome)
    return added.user
  }
  const [first, second] = [await add('a@example.com'), await add('b@example.com')]
  const gone = await add('gone@example.com')
  for (const user of [first, second, gone]) await addSession(opened, user)
  await users.remove(gone, 0, '2026-11-21')
  await records.write(first, (writer) => writer.put(Array.from({ length: 2_500 }, (_, number) => hourOf(number))))
  await records.write(first, (writer) => writer.prune(clock.now() + 1))
  clock.advance(1_000)
  for (const user of [first, second]) {
    const claims = { [uuidOf('device')]: 7 }
    const odd = { ...hourOf(1, uuidOf('odd'), { note: '👩‍👩‍👧 \0 \ud800 "\\{}' }), claims }
    await records.write(user, (writer) => writer.put([...oneOfEachKind(uuidOf('x')), tombstone('entries', 'z'), odd]))
    const task = { kind: 'auto_close', dayFrom: '2026-01-01', weekFrom: '2025-12-29' } as const
    await records.write(user, (writer) => writer.putJob({ id: 'job', dueMs: 5, task }))
    await users.addToken(
      { user, hash: `hash of ${user}` },
      {
        ...({ id: uuidOf('token'), name: 'ä "laptop"', scope: 'record', created_at: AT } as const),
        expires_at: '2027-01-01T00:00:00.000Z',
      },
    )
    const passkey = { credentialId: `credential of ${user}`, publicKey: 'key', counter: 2 ** 32 - 1 }
    await new PasskeyStore(driver).add(
      user,
      { id: uuidOf('passkey'), name: 'telephone', created_at: AT, last_used_at: null },
      passkey,
    )
    const webhooks = new WebhookStore(driver)
    const webhook = { id: uuidOf('webhook'), url: 'https://example.com', events: ['week.closed' as const] }
    await webhooks.add(user, 'sealed', { ...webhook, created_at: AT, failing_since: null, disabled: null }, 1)
    await webhooks.ping(user, webhook.id, 'msg', 1)
    await driver.write(async (sql) => {
      await sql.run(`INSERT INTO challenges (challenge, purpose, expires_at) VALUES ($1, 'sign in', $2)`, [
        `of ${user}`,
        AT,
      ])
      await sql.run('INSERT INTO oidc_identities (issuer, subject, user_id, created_at) VALUES ($1, $2, $3, $4)', [
        'https://login.example',
        `subject of ${user}`,
        user,
        AT,
      ])
      const codes = { into: 'recovery_codes (user_id, hash)', types: ['BIGINT', 'TEXT'] } as const
      await sql.insertEach(codes, [
        [user, 'one'],
        [user, 'two'],
      ])
      await sql.run(
        `INSERT INTO second_factors (user_id, sealed_key, step, confirmed_at) VALUES ($1, 'sealed', 58000000, $2)`,
        [user, AT],
      )
    })
  }
  return { ...opened, first, second }
}

/** Adds a session and returns its number. */
function addSession({ users }: Pick<Stores, 'users'>, user: UserNumber, hash = `session of ${user}`): Promise<number> {
  return users.addSession({ user, hash }, { at: AT, expiresAt: AT, userAgent: null })
}

async function openPostgres(url?: string): Promise<Stores> {
  const place = { url: url ?? (await newPostgres()) }
  const clock = { now: () => Date.parse(AT) }
  const stores = await openStores({ ...place, clock, random: systemRandom, as: 'service' })
  onTestFinished(() => stores.close())
  return stores
}

/** Returns a driver that calls `onCall` before each statement. */
function watched(driver: SqlDriver, onCall: (name: string | symbol) => void): SqlDriver {
  const watching = <Sql extends SqlReader>(sql: Sql): Sql =>
    new Proxy(sql, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name, target)
        if (typeof value !== 'function') return value
        onCall(name)
        return value.bind(target)
      },
    })
  return {
    dialect: driver.dialect,
    all: (text, params) => driver.all(text, params),
    run: (text, params) => driver.run(text, params),
    read: (body) => driver.read((sql) => body(watching(sql))),
    write: (body) => driver.write((sql) => body(watching(sql))),
    close: () => driver.close(),
  }
}

/** Returns what a client pulls: the changes since several versions, and a snapshot. */
async function pulled({ records }: Stores, user: UserNumber): Promise<string[]> {
  const clock = { now: () => Date.parse(AT) }
  const since = (version: number) => pullSince(records, clock, user, version, 10_000)
  const snapshot = await pullSnapshot(records, clock, user, undefined, 10_000)
  if (snapshot.outcome !== 'pulled') throw new Error(snapshot.outcome)
  const { changes, ...rest } = JSON.parse(snapshot.body) as PullResponse
  // Records of a page are in no particular order.
  const live = Object.values(changes)
    .flat()
    .map((record) => JSON.stringify(record))
  return [...(await Promise.all([0, 2, 2_500, 2_502].map(since))), rest, live.sort()].map((answer) =>
    JSON.stringify(answer),
  )
}

test('[D4.18] a database moved to PostgreSQL and back has the same rows, and clients notice nothing', async () => {
  const full = await openFull()
  const postgres = await openPostgres()
  const counts = await copyDatabase(full.driver, postgres.driver)
  expect(Object.fromEntries(counts)).toMatchObject({ users: 2, records: 2_514, tokens: 2, jobs: 2, counters: 2 })
  for (const user of [full.first, full.second]) {
    expect(await pulled(postgres, user)).toEqual(await pulled(full, user))
  }
  const back = await openTemporary()
  await copyDatabase(postgres.driver, back.driver)
  const { tables } = contentsOfFile(full.file)
  expect(Object.keys(tables).length).toBeGreaterThan(9)
  expect(contentsOfFile(back.file).tables).toEqual(tables)
  // Versions and numbers go on behind those that were copied.
  for (const stores of [postgres, back]) {
    expect(await addSession(stores, full.first, 'the next')).toBe(3)
    const [stored] = await stores.records.write(full.first, (writer) => writer.put([hourOf(9_999)]))
    expect(stored?.version).toBe(2_508)
  }
  const numbered = await postgres.driver.all<{ name: string }>(
    "SELECT table_name AS name FROM information_schema.columns WHERE column_name = 'id' AND is_identity = 'YES'",
  )
  expect(numbered.map(({ name }) => name).sort()).toEqual([
    'memberships',
    'sessions',
    'team_groups',
    'team_roles',
    'webhook_deliveries',
  ])
  for (const { name } of numbered) {
    const next = `SELECT nextval('${name}_id_seq') AS next, (SELECT MAX(id) FROM ${name}) AS last`
    const [row] = await postgres.driver.write((sql) => sql.all<{ next: number; last: number }>(next))
    expect(row?.next, name).toBe(Number(row?.last) + 1)
  }
})

test('[D4.19] a target that is not empty is refused and stays as it is', async () => {
  const full = await openFull()
  const postgres = await openPostgres()
  await postgres.users.setupCode('a code of its own')
  await copyDatabase(full.driver, postgres.driver)
  const before = await pulled(postgres, full.first)
  await expect(copyDatabase(full.driver, postgres.driver)).rejects.toBeInstanceOf(OpenError)
  await expect(copyDatabase(postgres.driver, full.driver)).rejects.toThrow('the target database is not empty')
  expect(await pulled(postgres, full.first)).toEqual(before)
  expect(await postgres.users.setupCode('another')).toBeUndefined()
})

test('[D4.18] after a copy that fails, the target is still empty, and a second attempt succeeds', async () => {
  const full = await openFull()
  const postgres = await openPostgres()
  let inserts = 0
  const broken = watched(postgres.driver, (name) => {
    if (name === 'insertEach' && ++inserts > 7) throw new Error('in the middle')
  })
  await expect(copyDatabase(full.driver, broken)).rejects.toThrow('in the middle')
  expect(await postgres.users.list()).toHaveLength(0)
  await copyDatabase(full.driver, postgres.driver)
  const back = await openTemporary()
  await copyDatabase(postgres.driver, back.driver)
  expect(contentsOfFile(back.file).tables).toEqual(contentsOfFile(full.file).tables)
})

test('[D4.18] a copy is of one moment, even if the source is written to while it runs', async () => {
  const full = await openFull()
  const postgres = await openPostgres()
  const before = await pulled(full, full.first)
  let writing: Promise<unknown> | undefined
  const target = watched(postgres.driver, (name) => {
    if (name === 'insertEach') writing ??= full.records.write(full.first, (writer) => writer.put([hourOf(9_999)]))
  })
  await copyDatabase(full.driver, target)
  await writing
  expect(await pulled(postgres, full.first)).toEqual(before)
})

heavyTest(
  'neither database waits long for the other in the middle of the copy, or its engine would end it',
  async () => {
    const full = await openFull()
    const hours = Array.from({ length: 15_000 }, (_, number) => hourOf(number, uuidOf(`many ${number}`)))
    await full.records.write(full.first, (writer) => writer.put(hours))
    const postgres = await openPostgres()
    let turns = ''
    const from = watched(full.driver, () => {
      turns += '<'
    })
    const to = watched(postgres.driver, () => {
      turns += '>'
    })
    await copyDatabase(from, to)
    expect(turns.length).toBeGreaterThan(60)
    expect(turns.slice(turns.indexOf('<'))).not.toMatch(/>{6}|<{6}/)
  },
)
