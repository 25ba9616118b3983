import { expect, onTestFinished, test } from 'vitest'
import type { SqlParam, SqlReader } from '../../src/store/sql.ts'
import { sqlRecordStore } from '../../src/store/sql-store.ts'
import { openStores } from '../../src/store/stores.ts'
import { systemRandom } from '../../src/system/random.ts'
import { ManualClock } from '../manual-clock.ts'
import { hourOf, uuidOf } from '../store/samples.ts'
import { newPostgres } from './database.ts'
import { execute } from './global-setup.ts'

test.each(['nothing', 'all'])(
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
    const user = added.outcome === 'added' ? added.user : 0
    await stores.records.write(user, (writer) => writer.put(Array.from({ length: 3_000 }, (_, index) => hourOf(index))))
    if (known === 'all') await execute(url, 'VACUUM ANALYZE')

    const plans: string[] = []
    const explained = (sql: SqlReader): SqlReader => ({
      dialect: sql.dialect,
      async all<Row>(text: string, params?: readonly SqlParam[]): Promise<Row[]> {
        const lines = await sql.all<{ 'QUERY PLAN': string }>(`EXPLAIN (COSTS OFF) ${text}`, params)
        plans.push(lines.map((line) => line['QUERY PLAN'].trim()).join('\n'))
        return sql.all<Row>(text, params)
      },
    })
    const store = sqlRecordStore(
      {
        all: (text, params) => stores.driver.all(text, params),
        read: (body) => stores.driver.read((sql) => body(explained(sql))),
        write: (body, turn) => stores.driver.write(body, turn),
        close: () => stores.driver.close(),
      },
      () => 'tag',
      () => clock.now(),
    )
    const planOf = async (work: Parameters<typeof store.read>[1]) => {
      plans.length = 0
      await store.read(user, work)
      return plans.at(-1)
    }
    const key = { kind: 'entries', id: uuidOf('b') } as const
    const byKey = /Index Scan using records_pkey on records.*\n.*user_id = .* AND \(?kind = .* AND \(?id = /
    expect(await planOf((reader) => reader.find([key, { ...key, id: uuidOf('c') }]))).toMatch(byKey)
    const changes = await planOf((reader) => reader.changesSince(2_990, 100))
    expect(changes).toMatch(/Index Scan using sync_log_pkey on sync_log.*\n.*version > /)
    expect(changes).toMatch(/Index Scan using records_pkey on records/)
    expect(changes).not.toMatch(/Sort|Hash|Merge/)
    const log = await planOf((reader) => reader.logState(2_990, 5))
    expect(log).toMatch(/Index (Only )?Scan using sync_log_pkey on sync_log.*\n.*version = /)
    expect(log).toMatch(/Index (Only )?Scan using sync_log_marker on sync_log/)
    expect(log).toMatch(/Index (Only )?Scan using sync_log_by_time on sync_log.*\n.*logged_at < /)
    const extent = await planOf((reader) => reader.extent('closed_days'))
    expect(extent).toMatch(/Index (Only )?Scan using records_by_time on records/)
    expect(extent).not.toMatch(/Aggregate|Sort/)
    expect(extent).toMatch(/Index (Only )?Scan Backward using records_by_time on records/)
    const page = await planOf((reader) => reader.snapshot(key, 100))
    // Only what was put together is sorted.
    expect(page).toMatch(
      /^Sort\n.*\n.*HashAggregate\n.*\n.*Subquery Scan.*\n.*Limit\n.*Index Scan using records_pkey on records/,
    )
    await store.usersWithDueJobs(5, 20, [user])
    expect(plans.at(-1)).toMatch(/Index Scan using jobs_by_time on jobs\n.*due_ms <= /)
    expect(plans.at(-1)).not.toMatch(/Sort|Hash|Merge/)
  },
)
