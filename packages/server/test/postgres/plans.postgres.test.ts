import { DAY_MS } from '@saldo/core'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { Hosts } from '../../src/store/postgres/hosts.ts'
import { sessionAt } from '../../src/store/postgres/pool.ts'
import { sqlRecordStore } from '../../src/store/records/sql-store.ts'
import type { SqlParam, SqlReader } from '../../src/store/sql.ts'
import type { UserReader } from '../../src/store/store.ts'
import { openStores } from '../../src/store/stores.ts'
import { systemRandom } from '../../src/system.ts'
import { ManualClock } from '../manual-clock.ts'
import { hourOf, uuidOf } from '../store/samples.ts'
import { newPostgres } from './database.ts'
import { execute } from './global-setup.ts'

/** Gives fifty others what the one user has. */
const othersAlike = `
  INSERT INTO records
    SELECT user_id + other, kind, id, version, updated_at, deleted, starts_ms, ends_ms, delta_ms, brief, claims, body
    FROM records, generate_series(1, 50) AS other;
  INSERT INTO sync_log SELECT user_id + other, version, kind, record_id, logged_at, tag
    FROM sync_log, generate_series(1, 50) AS other`

test.each(['nothing', 'all', 'what was when all had little'])(
  'pages, changes and look-ups go along a key, when the server knows %s of the tables',
  async (known) => {
    const clock = new ManualClock('2026-02-02T12:00:00.000Z')
    const url = await newPostgres()
    const stores = await openStores({ url, clock, random: systemRandom, as: 'service' })
    onTestFinished(() => stores.close())
    const added = await stores.users.add({
      email: 'a@example.com',
      passwordHash: 'none',
      at: '2026-02-02T12:00:00.000Z',
    })
    if (added.outcome !== 'added') throw new Error(added.outcome)
    const { user } = added
    const put = (from: number, to: number) =>
      stores.records.write(user, (writer) => {
        return writer.put(Array.from({ length: to - from }, (_, index) => hourOf(from + index)))
      })
    await put(0, 100)
    if (known === 'what was when all had little') {
      await execute(url, othersAlike)
      await execute(url, 'VACUUM ANALYZE')
    }
    await put(100, 3_000)
    if (known === 'all') await execute(url, 'VACUUM ANALYZE')

    // As in the service: a plan for all values, which is made once.
    const session = new pg.Client({ ...sessionAt(new Hosts(url).place), pipeline: false })
    await session.connect()
    onTestFinished(() => session.end())
    const plans: string[] = []
    const explained = (sql: SqlReader): SqlReader => ({
      dialect: sql.dialect,
      async all<Row>(text: string, params: readonly SqlParam[] = []): Promise<Row[]> {
        const name = `explained_${plans.push('')}`
        const place = plans.length - 1
        await session.query(`PREPARE ${name} AS ${text}`)
        const { rows } = await session.query<{ 'QUERY PLAN': string }>(
          `EXPLAIN (COSTS OFF) EXECUTE ${name}${params.length > 0 ? `(${params.map(literalOf).join(', ')})` : ''}`,
        )
        plans[place] = rows.map((line) => line['QUERY PLAN'].trim()).join('\n')
        return sql.all<Row>(text, params)
      },
    })
    const store = sqlRecordStore(
      {
        dialect: stores.driver.dialect,
        all: (text, params) => stores.driver.read((sql) => explained(sql).all(text, params)),
        run: (text, params) => stores.driver.run(text, params),
        read: (body) => stores.driver.read((sql) => body(explained(sql))),
        write: (body, turn) =>
          stores.driver.write(
            (sql) =>
              body({
                ...explained(sql),
                run: (text, params) => sql.run(text, params),
                insertEach: (insert, rows) => sql.insertEach(insert, rows),
                script: (text) => sql.script(text),
              }),
            turn,
          ),
        close: () => stores.driver.close(),
      },
      () => 'tag',
      () => clock.now(),
    )
    const planOf = async (work: Parameters<typeof store.read>[1]) => {
      await store.read(user, work)
      return plans.at(-1)
    }
    const key = { kind: 'entries', id: uuidOf('b') } as const
    const byKey = /Index Scan using records_pkey on records.*\n.*user_id = .* AND \(?kind = .* AND \(?id = /
    expect(await planOf((reader) => reader.find([key, { ...key, id: uuidOf('c') }]))).toMatch(byKey)
    const changes = await planOf((reader) => reader.changesSince(2_990, 100))
    expect(changes).toMatch(/Index Scan using sync_log_pkey on sync_log.*\n.*version > .*version <= /)
    expect(changes).toMatch(byKey)
    expect(changes).not.toMatch(/Sort|Hash|Merge|Materialize|Bitmap/)
    const log = await planOf((reader) => reader.logState(2_990))
    expect(log).toMatch(/Limit\n.*Index Scan using sync_log_pkey on sync_log.*\n.*user_id = \S+\n/)
    expect(log).toMatch(/Index Scan using sync_log_pkey on sync_log.*\n.*version = /)
    expect(log).not.toMatch(/Sort|Aggregate|Bitmap|Seq Scan/)
    const before = plans.length
    await store.write(user, (writer) => writer.prune(Number.MAX_SAFE_INTEGER))
    expect(plans.slice(before)).toContainEqual(
      expect.stringMatching(/^Limit\n.*Index Scan using sync_log_pkey on sync_log.*\n.*version > [^\n]*$/),
    )
    const span = { from: 0, to: Number(DAY_MS) }
    for (const work of [
      (reader: UserReader) => reader.accountEntries(span),
      (reader: UserReader) => reader.settingsRows(),
      (reader: UserReader) => reader.countOnDays([0, 1]),
      (reader: UserReader) => reader.startOfLatest('entries', span, 5),
      (reader: UserReader) => reader.countRunning(5),
      (reader: UserReader) => reader.requestCharacters(),
    ]) {
      expect(await planOf(work)).toMatch(
        /Index (Only )?Scan (Backward )?using records_(by_time|pkey|long|requests) on records/,
      )
      expect(plans.at(-1)).not.toMatch(/Seq Scan/)
    }
    const page = await planOf((reader) => reader.snapshot(key, 100))
    expect(page).toMatch(/^Limit\n.*Index Scan using records_pkey on records/)
    expect(page).not.toMatch(/Sort/)
    await store.usersWithDueJobs(5, 20, [user])
    expect(plans.at(-1)).toMatch(/Index Scan using jobs_by_time on jobs\n.*due_ms <= /)
    expect(plans.at(-1)).not.toMatch(/Sort|Hash|Merge/)
  },
)

function literalOf(param: SqlParam): string {
  if (param === null) return 'NULL'
  return pg.escapeLiteral(typeof param === 'object' ? `{${param.join(',')}}` : String(param))
}
