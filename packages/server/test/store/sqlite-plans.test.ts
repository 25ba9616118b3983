import type { UserNumber } from '@saldo/core'
import { expect, test } from 'vitest'
import { sqlRecordStore } from '../../src/store/records/sql-store.ts'
import type { SqlDriver, SqlParam, SqlReader, SqlWriter } from '../../src/store/sql.ts'
import type { UserReader, UserWriter } from '../../src/store/store.ts'
import { FeedStore } from '../../src/store/users/feeds.ts'
import { UserStore } from '../../src/store/users/users.ts'
import { WebhookStore } from '../../src/store/users/webhooks.ts'
import { pullSince } from '../../src/sync/pull.ts'
import { hourOf, oneOfEachKind, tombstone, uuidOf } from './samples.ts'
import { openTemporary } from './temporary.ts'

/** A statement that went to the database, with the parameters that it had. */
interface Statement {
  text: string
  params: readonly SqlParam[]
}

/** The same driver; what goes to it is noted. */
function noting(driver: SqlDriver, statements: Statement[]): SqlDriver {
  const noted = <Sql extends SqlReader>(sql: Sql): Sql =>
    new Proxy(sql, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name, target)
        if (typeof value !== 'function') return value
        // An INSERT of rows finds nothing by a plan but the rows' own keys.
        if (name === 'insertEach') return value.bind(target)
        return (text: string, params: readonly SqlParam[] = []) => {
          statements.push({ text, params })
          return value.call(target, text, params)
        }
      },
    })
  return {
    dialect: driver.dialect,
    all(text, params = []) {
      statements.push({ text, params })
      return driver.all(text, params)
    },
    run(text, params = []) {
      statements.push({ text, params })
      return driver.run(text, params)
    },
    read: (body) => driver.read((sql) => body(noted(sql))),
    write: (body) => driver.write((sql) => body(noted<SqlWriter>(sql))),
    close: () => driver.close(),
  }
}

/** Returns SQLite's query plan of each statement that `work` runs. */
async function plansOf(
  work: (stores: {
    driver: SqlDriver
    users: UserStore
    records: ReturnType<typeof sqlRecordStore>
  }) => Promise<unknown>,
): Promise<string[]> {
  const statements: Statement[] = []
  const opened = await openTemporary()
  const driver = noting(opened.driver, statements)
  const users = new UserStore(driver, () => USER)
  await users.add({ email: 'a@example.com', passwordHash: 'none', at: '2026-02-02T12:00:00.000Z' })
  const records = sqlRecordStore(
    driver,
    () => 'tag',
    () => opened.clock.now(),
  )
  await records.write(USER, async (writer) => {
    await writer.put([...oneOfEachKind(uuidOf('a')), hourOf(1), tombstone('entries', uuidOf(2))])
  })
  statements.length = 0
  await work({ driver, users, records })
  expect(statements).not.toEqual([])
  const explained = await opened.driver.write((sql) =>
    Promise.all(
      statements.map(({ text, params }) => sql.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${text}`, params)),
    ),
  )
  return explained.flat().map(({ detail }) => detail)
}

const USER = 1 as UserNumber
/** A secret, and the plan by which it is found in any table. */
const KEY = { user: USER, hash: 'hash' }
const BY_SECRET = /SEARCH \S+ USING INDEX \S+ \(user_id=\? AND hash=\?\)/
const reading = (body: (reader: UserReader) => Promise<unknown>) => plansOf(({ records }) => records.read(USER, body))
const writing = (body: (writer: UserWriter) => Promise<unknown>) => plansOf(({ records }) => records.write(USER, body))

/**
 * Returns the steps that scan all rows of a table or index. Scans of the keys given to a statement, of a page, of one
 * row, and of the union of other rows do not count.
 */
function scans(plan: readonly string[]): string[] {
  return plan.filter(
    (detail) => detail.startsWith('SCAN ') && !/^SCAN (json_each|given|page|one|CONSTANT ROW)\b/.test(detail),
  )
}

const span = { from: 0, to: Number.MAX_SAFE_INTEGER }
const AT = '2026-11-21T12:00:00.000Z'
const after = { startsMs: 5, id: uuidOf('a') }

test.each<[name: string, plan: () => Promise<string[]>, index: RegExp]>([
  [
    '[D5.2] a pull of one change',
    () => pulling(6),
    /SEARCH l USING PRIMARY KEY \(user_id=\? AND version>\? AND version<\?\)/,
  ],
  ['[D5.2] a pull with nothing new', () => pulling(7), /SEARCH sync_log USING/],
  [
    '[R3.4] [R3.5] the oldest rows of the log',
    () => reading((reader) => reader.logState(3)),
    /SEARCH sync_log USING PRIMARY KEY \(user_id=\?\)/,
  ],
  ['[D5.5] a tag', () => reading((reader) => reader.logState(3)), /PRIMARY KEY \(user_id=\? AND version=\?\)/],
  [
    '[D6.1] find',
    () => reading((reader) => reader.find([1, 2, 3].map((number) => ({ kind: 'entries', id: uuidOf(number) })))),
    /SEARCH records USING INDEX \S+ \(user_id=\? AND kind=\? AND id=\?\)/,
  ],
  [
    'overlapping',
    () => reading((reader) => reader.overlapping('entries', span)),
    /records_by_time \(user_id=\? AND kind=\? AND starts_ms>\? AND starts_ms<\?\)/,
  ],
  [
    'overlapping, long records',
    () => reading((reader) => reader.overlapping('entries', span)),
    /records_long \(user_id=\? AND kind=\? AND \(starts_ms,id\)>\(\?,\?\) AND starts_ms<\?\)/,
  ],
  [
    'overlapping, behind a page',
    () => reading((reader) => reader.overlapping('entries', span, { after, limit: 3 })),
    /records_by_time/,
  ],
  [
    'what the account reads of entries',
    () => reading((reader) => reader.accountEntries(span)),
    /COVERING INDEX records_by_time \(user_id=\? AND kind=\? AND starts_ms>\? AND starts_ms<\?\)/,
  ],
  [
    'what the account reads of long entries',
    () => reading((reader) => reader.accountEntries(span)),
    /COVERING INDEX records_long \(user_id=\? AND kind=\? AND \(starts_ms,id\)>\(\?,\?\) AND starts_ms<\?\)/,
  ],
  ['settings rows', () => reading((reader) => reader.settingsRows()), /records_by_time \(user_id=\? AND kind=\?\)/],
  ['count', () => reading((reader) => reader.count('entries', span)), /records_by_time/],
  ['running entries', () => reading((reader) => reader.countRunning(5)), /COVERING INDEX records_long/],
  [
    'entries on days',
    () => reading((reader) => reader.countOnDays([1, 2])),
    /COVERING INDEX records_by_time \(user_id=\? AND kind=\? AND starts_ms>\? AND starts_ms<\?\)/,
  ],
  [
    'the start of the latest entries',
    () => reading((reader) => reader.startOfLatest('entries', span, 9)),
    /COVERING INDEX records_by_time \(user_id=\? AND kind=\? AND starts_ms>\? AND starts_ms<\?\)/,
  ],
  [
    '[D26.1] requests',
    () => reading((reader) => Array.fromAsync(reader.requests(span, 9))),
    /SEARCH records USING INDEX records_requests/,
  ],
  [
    '[D26.14] the characters of requests',
    () => reading((reader) => reader.requestCharacters()),
    /SEARCH records USING INDEX records_requests/,
  ],
  ['sums', () => reading((reader) => reader.sumDeltas('closed_weeks', span)), /records_by_time/],
  [
    '[D5.7] the snapshot',
    () => reading((reader) => reader.snapshot({ kind: 'entries', id: uuidOf(1) }, 3)),
    /SEARCH records USING INDEX \S+ \(user_id=\? AND \(kind,id\)>\(\?,\?\)\)/,
  ],
  ['jobs', () => reading((reader) => reader.jobs()), /SEARCH jobs USING/],
  [
    'due jobs',
    () => plansOf(({ records }) => records.usersWithDueJobs(5, 3, [USER])),
    /SEARCH jobs USING INDEX jobs_by_time/,
  ],
  [
    '[D4.3] put',
    () => writing((writer) => writer.put([hourOf(1), hourOf(9)])),
    /SEARCH counters USING INTEGER PRIMARY KEY/,
  ],
  [
    '[R4.1] prune',
    () => writing((writer) => writer.prune(Number.MAX_SAFE_INTEGER)),
    /PRIMARY KEY \(user_id=\? AND version>\?\)/,
  ],
  ['[D8.11] a token', () => plansOf(({ users }) => users.findToken(KEY, AT)), BY_SECRET],
  [
    '[D8.11] the use of a token',
    () => plansOf(({ users }) => users.noteUse(USER, 'id', '2026-02-02T00:00:00.000Z')),
    /SEARCH tokens USING/,
  ],
  ['[D15.8] a calendar feed', () => plansOf(({ driver }) => new FeedStore(driver).find(KEY)), BY_SECRET],
  [
    '[D22.13] due deliveries',
    () => plansOf(({ driver }) => new WebhookStore(driver).due(1, 20, { webhooks: [], users: [] })),
    /SEARCH d USING INDEX webhook_deliveries_by_time/,
  ],
  ['[D8.11] tokens', () => plansOf(({ users }) => users.tokens(USER)), /SEARCH tokens USING/],
  [
    '[D8.4] sessions',
    () => plansOf(({ users }) => users.sessions(USER, { now: AT, begunSince: AT })),
    /SEARCH sessions USING INDEX \S+ \(user_id=\?\)/,
  ],
  ['[D8.4] a session', () => plansOf(({ users }) => users.findSession(KEY)), BY_SECRET],
  [
    '[D5.22] valid sessions',
    () => plansOf(({ users }) => users.validIds([{ user: USER, id: 1 }], { now: AT, begunSince: AT })),
    /SEARCH sessions USING INTEGER PRIMARY KEY \(rowid=\?\)/,
  ],
  [
    '[D5.22] valid tokens',
    () => plansOf(({ users }) => users.validIds([{ user: USER, id: 'token' }], { now: AT, begunSince: AT })),
    /SEARCH tokens USING INDEX \S+ \(user_id=\? AND id=\?\)/,
  ],
  ['[D8.1] a user by number', () => plansOf(({ users }) => users.byId(USER)), /SEARCH users USING INTEGER PRIMARY KEY/],
  [
    '[D8.5] a user by address',
    () => plansOf(({ users }) => users.byEmail('a@example.com')),
    /SEARCH users USING INDEX/,
  ],
  [
    '[D8.26] the removal of a user',
    () => plansOf(({ users }) => users.remove(USER, 7, '2026-11-21')),
    /SEARCH records USING/,
  ],
])('%s looks at no more rows than it needs', async (_, plan, index) => {
  const details = await plan()
  expect(scans(details)).toEqual([])
  expect(details.join('\n')).toMatch(index)
})

function pulling(since: number): Promise<string[]> {
  const clock = { now: () => Date.parse('2026-02-02T12:00:00.000Z') }
  return plansOf(({ records }) => pullSince(records, clock, USER, since, 100))
}
