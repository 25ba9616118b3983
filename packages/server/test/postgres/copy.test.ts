import type { PullAnswer } from '@saldo/core'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { copyDatabase } from '../../src/store/copy.ts'
import { sourceOfMove } from '../../src/store/moving.ts'
import { OpenError, type SqlDriver, type SqlParam, type SqlReader } from '../../src/store/sql.ts'
import { openStores, type Stores } from '../../src/store/stores.ts'
import { PasskeyStore } from '../../src/store/users/passkeys.ts'
import { pullSince, pullSnapshot } from '../../src/sync/pull.ts'
import { systemRandom } from '../../src/system/random.ts'
import { contentsOfFile } from '../store/raw-database.ts'
import { hourOf, oneOfEachKind, tombstone, uuidOf } from '../store/samples.ts'
import { openTemporary } from '../store/temporary.ts'
import { newPostgres } from './database.ts'
import { execute } from './global-setup.ts'

const AT = '2026-02-02T12:00:00.000Z'

type Full = Awaited<ReturnType<typeof openFull>>

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
  await users.remove(gone, 0)
  await records.write(first, (writer) => writer.put(Array.from({ length: 2_500 }, (_, number) => hourOf(number))))
  await records.write(first, (writer) => writer.prune(clock.now() + 1))
  clock.advance(1_000)
  for (const user of [first, second]) {
    const claims = { [uuidOf('device')]: 7 }
    const odd = { ...hourOf(1, uuidOf('odd'), { note: '👩‍👩‍👧 \0 \ud800 "\\{}' }), claims }
    await records.write(user, (writer) => writer.put([...oneOfEachKind(uuidOf('x')), tombstone('entries', 'z'), odd]))
    const task = { kind: 'auto_close', dayFrom: '2026-01-01', weekFrom: '2025-12-29' } as const
    await records.write(user, (writer) => writer.putJob({ id: 'job', dueMs: 5, task }))
    await users.addToken(user, { id: uuidOf('token'), name: 'ä "laptop"', hash: `hash of ${user}`, at: AT })
    const passkey = { credentialId: `credential of ${user}`, publicKey: 'key', counter: 2 ** 32 - 1 }
    await new PasskeyStore(driver).add(user, { id: uuidOf('passkey'), name: 'telephone', at: AT, ...passkey })
    await driver.write(async (sql) => {
      await sql.run(
        `INSERT INTO verifications (identifier, value, expires_at, created_at, updated_at) VALUES ($1, 'v', $2, $2, $2)`,
        [`of ${user}`, AT],
      )
    })
  }
  return { ...opened, first, second }
}

/** Adds a session as better-auth does, and returns its number. */
function addSession({ driver }: Pick<Stores, 'driver'>, user: number, token = `session of ${user}`): Promise<number> {
  const text = `INSERT INTO sessions (user_id, token, expires_at, created_at, updated_at)
    VALUES ($1, $2, $3, $3, $3) RETURNING id`
  return driver.write(async (sql) => Number((await sql.all<{ id: number }>(text, [user, token, AT]))[0]?.id))
}

async function openPostgres(url?: string): Promise<Stores> {
  const place = { url: url ?? (await newPostgres()) }
  const clock = { now: () => Date.parse(AT) }
  const stores = await openStores({ ...place, clock, random: systemRandom, as: 'service' })
  onTestFinished(() => stores.close())
  return stores
}

/** A driver whose statements are told of before they are sent. */
function watched(driver: SqlDriver, tell: (name: string | symbol) => void): SqlDriver {
  const watching = <Sql extends SqlReader>(sql: Sql): Sql =>
    new Proxy(sql, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name, target)
        if (typeof value !== 'function') return value
        tell(name)
        return value.bind(target)
      },
    })
  return {
    all: (text, params) => driver.all(text, params),
    read: (body) => driver.read((sql) => body(watching(sql))),
    write: (body) => driver.write((sql) => body(watching(sql))),
    close: () => driver.close(),
  }
}

/** What a client pulls: what changed since versions of its past, and all. */
async function pulled({ records }: Stores, user: number): Promise<string[]> {
  const clock = { now: () => Date.parse(AT) }
  const since = (version: number) => pullSince(records, clock, user, version, 10_000)
  const snapshot = await pullSnapshot(records, clock, user, undefined, 10_000)
  if (snapshot.outcome !== 'answer') throw new Error(snapshot.outcome)
  const { changes, ...rest } = JSON.parse(snapshot.body) as PullAnswer
  // Records of a page are in no particular order.
  const live = Object.values(changes)
    .flat()
    .map((record) => JSON.stringify(record))
  return [...(await Promise.all([0, 2, 2_500, 2_502].map(since))), rest, live.sort()].map((answer) =>
    JSON.stringify(answer),
  )
}

test('[D4.18] moved to PostgreSQL and back, a database is the same to the last row, and clients notice nothing', async () => {
  const full = await openFull()
  const postgres = await openPostgres()
  const counts = await copyDatabase(full.driver, postgres.driver, full.name)
  expect(Object.fromEntries(counts)).toMatchObject({ users: 2, records: 2_514, tokens: 2, jobs: 2, counters: 2 })
  for (const user of [full.first, full.second]) {
    expect(await pulled(postgres, user)).toEqual(await pulled(full, user))
  }
  const back = await openTemporary()
  await copyDatabase(postgres.driver, back.driver, postgres.name)
  const { tables } = contentsOfFile(full.file)
  expect(Object.keys(tables).length).toBeGreaterThan(9)
  expect(contentsOfFile(back.file).tables).toEqual(tables)
  // Life goes on where it was, and no number is given twice.
  for (const stores of [postgres, back]) {
    expect(await addSession(stores, full.first, 'the next')).toBe(4)
    const [stored] = await stores.records.write(full.first, (writer) => writer.put([hourOf(9_999)]))
    expect(stored?.version).toBe(2_508)
  }
})

test('a target that is not empty is refused and stays as it is', async () => {
  const full = await openFull()
  const postgres = await openPostgres()
  await postgres.users.setupCode('a code of its own')
  await copyDatabase(full.driver, postgres.driver, full.name)
  const before = await pulled(postgres, full.first)
  await expect(copyDatabase(full.driver, postgres.driver, full.name)).rejects.toBeInstanceOf(OpenError)
  await expect(copyDatabase(postgres.driver, full.driver, postgres.name)).rejects.toThrow('the target is not empty')
  expect(await pulled(postgres, full.first)).toEqual(before)
  expect(await postgres.users.setupCode('another')).toBeUndefined()
})

/** A copy of a file that ended when the target had `pages` of its pages. */
async function openUnfinished(pages: number) {
  const [full, url] = [await openFull(), await newPostgres()]
  const postgres = await openPostgres(url)
  let inserts = 0
  const broken = watched(postgres.driver, (name) => {
    if (name === 'insertEach' && ++inserts > pages) throw new Error('in the middle')
  })
  await expect(copyDatabase(full.driver, broken, full.name)).rejects.toThrow('in the middle')
  return { full, postgres, url }
}

test.each([0, 2, 7, 10])('[D4.18] a copy that ended after %i pages goes on where it was', async (pages) => {
  const { full, postgres } = await openUnfinished(pages)
  let inserts = 0
  const counting = watched(postgres.driver, (name) => {
    if (name === 'insertEach') inserts += 1
  })
  await copyDatabase(full.driver, counting, full.name)
  // Twelve pages, and what ends the copy.
  expect(inserts).toBe(13 - pages)
  const back = await openTemporary()
  await copyDatabase(postgres.driver, back.driver, postgres.name)
  expect(contentsOfFile(back.file).tables).toEqual(contentsOfFile(full.file).tables)
})

test('[D4.18] what a killed copy commits while the next one is at work is there once', async () => {
  const { full, postgres, url } = await openUnfinished(10)
  const killed = new pg.Client(url)
  await killed.connect()
  await killed.query('BEGIN')
  const jobs = await full.driver.all<Record<string, unknown>>('SELECT user_id, id, due_ms, task FROM jobs')
  for (const job of jobs) await killed.query('INSERT INTO jobs VALUES ($1, $2, $3, $4)', Object.values(job))
  const copied = copyDatabase(full.driver, postgres.driver, full.name)
  const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
  await expect.poll(async () => (await execute(url, waiting)).rowCount).toBe(1)
  await killed.query('COMMIT')
  await killed.end()
  expect((await copied).get('jobs')).toBe(2)
})

test('[D4.18] a copy that another process has brought to its end meanwhile is left to its service', async () => {
  const { full, postgres } = await openUnfinished(8)
  const beside = await openStores({ file: full.file, clock: full.clock, random: systemRandom, as: 'command' })
  onTestFinished(() => beside.close())
  let session = 0
  const late: SqlDriver = {
    ...watched(full.driver, () => undefined),
    read: (body) =>
      full.driver.read((sql) =>
        body({
          dialect: sql.dialect,
          async all<Row>(text: string, params?: readonly SqlParam[]): Promise<Row[]> {
            // The last that is asked.
            if (text.includes('service_state')) {
              await copyDatabase(beside.driver, postgres.driver, full.name)
              session = await addSession(postgres, full.first, 'session since then')
            }
            return sql.all<Row>(text, params)
          },
        }),
      ),
  }
  await copyDatabase(late, postgres.driver, full.name)
  expect(await addSession(postgres, full.first, 'next session')).toBe(session + 1)
})

test('until a copy is whole, no service and no other copy opens it', async () => {
  const { full, postgres, url } = await openUnfinished(8)
  const service = openStores({ url, clock: full.clock, random: systemRandom, as: 'service' })
  await expect(service).rejects.toThrow(`holds a part of ${full.name} only: let saldo migrate-database go on with it`)
  const other = await openFull()
  const message = `the target holds a part of ${full.name}`
  await expect(copyDatabase(other.driver, postgres.driver, other.name)).rejects.toThrow(message)
  await copyDatabase(full.driver, postgres.driver, full.name)
  const node = await openPostgres(url)
  expect(await pulled(node, full.first)).toEqual(await pulled(full, full.first))
})

test.each<[string, (full: Full) => Promise<unknown>]>([
  ['a record', ({ records, first }) => records.write(first, (writer) => writer.put([hourOf(3)]))],
  ['the log', ({ records, second, clock }) => records.write(second, (writer) => writer.prune(clock.now() + 1))],
  ['a user', ({ users, first }) => users.remove(first, 2_507)],
  ['a token', ({ users, first }) => users.noteUse(first, uuidOf('token'), '2026-02-03')],
])(
  '[D4.18] where %s of the source changed since the copy began, it is refused and stays unfinished',
  async (_, change) => {
    const { full, postgres } = await openUnfinished(11)
    await change(full)
    const copied = copyDatabase(full.driver, postgres.driver, full.name)
    await expect(copied).rejects.toThrow('begin again with an empty target')
    expect(await sourceOfMove(postgres.driver)).toBe(full.name)
  },
)

test('the source’s transaction does not fall silent for long while the target is at work, or its engine would end it', async () => {
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
  await copyDatabase(from, to, full.name)
  expect(turns.length).toBeGreaterThan(100)
  expect(turns.slice(turns.indexOf('<'))).not.toMatch(/>{6}/)
})
